# SPDX-License-Identifier: Apache-2.0
"""What is predicted is what the simulator says of the same network."""
import json
import os
import pathlib
import subprocess
import tempfile
from unittest import mock

import torch

from support import TREE, Classifier, ModelTest, main, poptorch
from poptorch import simulator

TEXT = """
machine = "gc200"
[workload]
kind = "network"
input = [8]
batch = 16
partials_type = "float"
layers = "linear 16; relu; linear 4"
"""


def of_text(more=""):
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder) / "run.toml"
        config.write_text(TEXT + more, encoding="utf-8")
        done = subprocess.run([simulator.program(), "run", str(config), "--json", "--engine", "closed-form"],
                              capture_output=True, text=True, check=True, cwd=TREE)
    return json.loads(done.stdout)


class Prediction(ModelTest):
    def expect_near(self, cycles, wanted):
        """Within 2 %: PyTorch has the weights of a dense layer as (outputs, inputs), and the text the other way."""
        self.assertLess(abs(cycles - wanted), 0.02 * wanted)

    def test_a_forward_pass_takes_what_its_text_takes(self):
        wrapped = poptorch.inferenceModel(Classifier(), self.options())
        wrapped(torch.randn(16, 8))
        self.expect_near(wrapped.ipusim_result.time.cycles, of_text()["time"]["cycles"])

    def test_a_training_step_takes_what_its_text_takes(self):
        model = Classifier()
        wrapped = poptorch.trainingModel(model, self.options(), torch.optim.SGD(model.parameters(), lr=0.1))
        wrapped(torch.randn(16, 8), torch.randint(0, 4, (16,)))
        wanted = of_text('[workload.train]\noptimiser = "sgd"\n')
        self.expect_near(wrapped.ipusim_result.time.cycles, wanted["time"]["cycles"])
        parameters = sum(row[1] for row in wrapped.prediction.modules())
        self.assertEqual(parameters, sum(one.numel() for one in model.parameters()))

    def test_times_of_calls_grow_with_iterations(self):
        options = self.options().logCycleCount(True)
        once = poptorch.inferenceModel(Classifier(), options)
        many = poptorch.inferenceModel(Classifier(), options.clone().deviceIterations(4))
        once(torch.randn(16, 8))
        many(torch.randn(64, 8))
        self.assertEqual(many.cycleCount(), 4 * once.cycleCount())
        self.assertEqual(many.getComputeLatency(), once.getComputeLatency())
        self.assertGreater(once.getLatency()[0], once.getComputeLatency()[0])

    def test_out_of_memory_names_tile_bytes_and_report(self):
        with tempfile.TemporaryDirectory() as folder:
            machine = pathlib.Path(folder) / "tiny.toml"
            machine.write_text(
                'base = "gc200"\nsram_per_tile_bytes = { value = 20_480, source = "a test" }\n'
                'code_region_bytes = { value = 8_192, source = "a test" }\n', encoding="utf-8")
            with mock.patch.dict(os.environ, IPUSIM_MACHINE=str(machine), IPUSIM_REPORT=folder):
                wrapped = poptorch.inferenceModel(torch.nn.Linear(4096, 4096), self.options())
                with self.assertRaisesRegex(poptorch.Error, r"on tile \d+: \d+ bytes.*report.html") as caught:
                    wrapped(torch.randn(64, 4096))
            self.assertTrue(pathlib.Path(caught.exception.report).is_file())
            self.assertGreater(caught.exception.bytes_over, 0)

    def test_a_loss_of_the_user_is_a_step(self):
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(8, 4)

            def forward(self, x):
                y = self.layer(x)
                return y, poptorch.identity_loss((y * y).exp(), "mean")

        wrapped = poptorch.trainingModel(Model(), self.options())
        wrapped(torch.randn(16, 8))
        layers = {row[0]: row[3] for row in wrapped.prediction.modules()}
        self.assertGreater(layers["layer"], 0)

    def test_stages_of_a_training_pipeline_are_those_of_the_blocks(self):
        model = Classifier()
        poptorch.BeginBlock(model.second, ipu_id=1)
        options = self.options()
        options.Training.gradientAccumulation(4)
        wrapped = poptorch.trainingModel(model, options, torch.optim.SGD(model.parameters(), lr=0.1))
        wrapped(torch.randn(64, 8), torch.randint(0, 4, (64,)))
        values = wrapped.ipusim_result
        self.assertEqual(values["config"]["parallel"]["stages"], 2)
        self.assertGreater(values["step"]["seconds"], 0)


if __name__ == "__main__":
    main()
