# SPDX-License-Identifier: Apache-2.0
"""Recordings have modules, lines, writes in place and views."""
import torch

from support import Classifier, ModelTest, main, poptorch


def recorded(model, *inputs, options=None):
    wrapped = poptorch.inferenceModel(model, options or ModelTest.options())
    wrapped.compile(*inputs)
    return wrapped._compiled.graph


class Recording(ModelTest):
    def test_operations_have_modules_and_lines(self):
        graph = recorded(Classifier(), torch.ones(2, 8))
        self.assertEqual([node.op for node in graph.nodes],
                         ["aten::t", "aten::addmm", "aten::relu", "aten::t", "aten::addmm"])
        self.assertEqual([node.scope for node in graph.nodes], ["first", "first", "", "second", "second"])
        self.assertTrue(all("support.py:" in node.source for node in graph.nodes))

    def test_a_write_to_a_part_is_a_new_value(self):
        class Model(torch.nn.Module):
            def forward(self, x):
                y = x * 2
                y[:, 1] = 0
                return y + 1

        graph = recorded(Model(), torch.ones(2, 3))
        ops = [node.op for node in graph.nodes]
        self.assertIn("poptorch::assign", ops)
        assign = graph.nodes[ops.index("poptorch::assign")]
        self.assertIs(graph.nodes[-1].args[0], assign.results[0])

    def test_buffers_and_random_numbers_are_as_before(self):
        model = torch.nn.Sequential(torch.nn.BatchNorm1d(3), torch.nn.Dropout(0.5))
        before = torch.random.get_rng_state()
        recorded(model, torch.randn(4, 3))
        self.expect_equal(model[0].running_mean, torch.zeros(3))
        self.assertEqual(int(model[0].num_batches_tracked), 0)
        wanted = torch.randn(4, 3)
        torch.random.set_rng_state(before)
        self.assertFalse(torch.equal(torch.randn(4, 3), torch.zeros(4, 3)))
        self.assertEqual(wanted.shape, (4, 3))

    def test_the_body_of_a_loop_is_there_once(self):
        class Model(torch.nn.Module):
            def forward(self, x):
                return poptorch.for_loop(5, lambda y: [y * 2], [x])[0]

        graph = recorded(Model(), torch.ones(3))
        products = [node for node in graph.nodes if node.op.startswith("aten::mul")]
        self.assertEqual([node.attributes["repeat"] for node in products], [5])
        self.expect_equal(poptorch.inferenceModel(Model(), self.options())(torch.ones(3)), 32 * torch.ones(3))

    def test_complex_numbers_and_dynamic_shapes_are_refused_with_their_line(self):
        class Fourier(torch.nn.Module):
            def forward(self, x):
                return torch.fft.fft(x).real

        class Chosen(torch.nn.Module):
            def forward(self, x):
                return torch.nonzero(x)

        with self.assertRaisesRegex(poptorch.Error, "(?s)Unsupported ops found.*recording_test.py:"):
            recorded(Fourier(), torch.ones(4))
        with self.assertRaisesRegex(poptorch.Error, "nonzero.*dynamic output shapes.*recording_test.py:"):
            recorded(Chosen(), torch.ones(4))


if __name__ == "__main__":
    main()
