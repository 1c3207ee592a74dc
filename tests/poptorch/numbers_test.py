# SPDX-License-Identifier: Apache-2.0
"""Numbers of wrapped models are PyTorch's, whatever the batches of a call are."""
import copy

import torch

from support import Classifier, ModelTest, main, poptorch


class Inference(ModelTest):
    def test_numbers_are_those_of_the_module(self):
        model = Classifier()
        x = torch.randn(6, 8)
        self.expect_equal(poptorch.inferenceModel(model, self.options())(x), model(x).detach())

    def test_outputs_of_all_iterations_are_joined(self):
        model = Classifier()
        x = torch.randn(6, 8)
        wrapped = poptorch.inferenceModel(model, self.options().deviceIterations(3))
        self.expect_equal(wrapped(x), model(x).detach())

    def test_output_modes_choose_micro_batches(self):
        x = torch.arange(6.0).reshape(6, 1)
        wanted = {poptorch.OutputMode.Final: x[-2:], poptorch.OutputMode.EveryN: x[2:4],
                  poptorch.OutputMode.Sum: x[0:2] + x[2:4] + x[4:6], poptorch.OutputMode.All: x}
        for mode, expected in wanted.items():
            with self.subTest(mode):
                options = self.options().deviceIterations(3).outputMode(mode, 2)
                self.expect_equal(poptorch.inferenceModel(torch.nn.Identity(), options)(x), expected)

    def test_structures_of_outputs_stay(self):
        class Model(torch.nn.Module):
            def forward(self, x):
                return {"a": x + 1, "b": [x, None]}

        made = poptorch.inferenceModel(Model(), self.options())(torch.ones(2))
        self.assertEqual(list(made), ["a", "b"])
        self.expect_equal(made["a"], 2 * torch.ones(2))
        self.assertIsNone(made["b"][1])

    def test_half_numbers_are_rounded_floats(self):
        model = torch.nn.Linear(8, 4).half()
        x = torch.randn(2, 8).half()
        y = poptorch.inferenceModel(model, self.options())(x)
        wanted = torch.nn.functional.linear(x.float(), model.weight.float(), model.bias.float()).half()
        self.assertEqual(y.dtype, torch.half)
        torch.testing.assert_close(y, wanted.detach(), atol=2e-3, rtol=2e-3)

    def test_a_model_on_the_device_is_one_on_the_host(self):
        class Model(torch.nn.Module):
            def forward(self, x):
                return x + torch.ones(2, device="ipu") + torch.zeros(2).ipu().to("ipu")

        self.expect_equal(poptorch.inferenceModel(Model(), self.options())(torch.zeros(2)), torch.ones(2))


class Training(ModelTest):
    def steps(self, optimiser_of, options, calls, batch):
        """Weights of a wrapped model and of a module after the same steps."""
        model = Classifier()
        twin = copy.deepcopy(model)
        wrapped = poptorch.trainingModel(model, options, optimiser_of(model))
        optimiser = optimiser_of(twin)
        for _ in range(calls):
            x, labels = torch.randn(batch, 8), torch.randint(0, 4, (batch,))
            wrapped(x, labels)
            for part_x, part_labels in zip(x.chunk(options.device_iterations), labels.chunk(options.device_iterations)):
                optimiser.zero_grad()
                twin(part_x, part_labels)[1].backward()
                optimiser.step()
        for mine, its in zip(model.parameters(), twin.parameters()):
            self.expect_equal(mine, its)

    def test_optimisers_are_those_of_pytorch(self):
        pairs = {
            "SGD": lambda m: poptorch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9),
            "Adam": lambda m: poptorch.optim.Adam(m.parameters(), lr=0.01),
            "AdamW": lambda m: poptorch.optim.AdamW(m.parameters(), lr=0.01),
            "RMSprop": lambda m: poptorch.optim.RMSprop(m.parameters(), lr=0.01),
            "torch": lambda m: torch.optim.SGD(m.parameters(), lr=0.1),
        }
        for name, optimiser_of in pairs.items():
            with self.subTest(name):
                self.steps(optimiser_of, self.options(), 3, 8)

    def test_iterations_are_steps(self):
        self.steps(lambda m: torch.optim.SGD(m.parameters(), lr=0.1), self.options().deviceIterations(2), 2, 8)

    def test_accumulated_gradients_are_one_step(self):
        options = self.options()
        options.Training.gradientAccumulation(4)
        self.steps(lambda m: torch.optim.SGD(m.parameters(), lr=0.1), options, 2, 8)

    def test_lamb_scales_steps_by_norms(self):
        weight = torch.nn.Parameter(torch.tensor([3.0, 4.0]))
        optimiser = poptorch.optim.LAMB([weight], lr=0.1, weight_decay=0.0, bias_correction=True)
        weight.grad = torch.tensor([1.0, 1.0])
        optimiser.step()
        # The first corrected step is the sign of the gradient: its norm is sqrt 2, that of the weights 5.
        self.expect_equal(weight.detach(), torch.tensor([3.0, 4.0]) - 0.1 * 5 / 2 ** 0.5)

    def test_a_loss_must_be_there_and_be_one(self):
        class Without(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)

            def forward(self, x):
                return self.layer(x)

        class Two(Without):
            def forward(self, x):
                y = self.layer(x)
                return poptorch.identity_loss(y, "mean"), poptorch.identity_loss(y * 2, "sum")

        for kind, text in ((Without, "Couldn't find a loss"), (Two, "Multiple independent losses")):
            with self.subTest(text), self.assertRaisesRegex(poptorch.Error, text):
                poptorch.trainingModel(kind(), self.options())(torch.ones(1, 2))

    def test_backward_of_an_output_says_what_to_do(self):
        wrapped = poptorch.trainingModel(Classifier(), self.options())
        _, loss = wrapped(torch.randn(2, 8), torch.tensor([0, 1]))
        with self.assertRaisesRegex(poptorch.Error, "backward"):
            loss.backward()


if __name__ == "__main__":
    main()
