# SPDX-License-Identifier: Apache-2.0
"""Options, arguments, blocks and wrappers behave as programs know them."""
import os
import tempfile
from unittest import mock

import torch

from support import Classifier, ModelTest, main, poptorch


class Options(ModelTest):
    def test_setters_chain_and_freeze(self):
        options = self.options().deviceIterations(2).replicationFactor(1).randomSeed(3)
        options.Training.gradientAccumulation(4)
        poptorch.DataLoader(options, torch.utils.data.TensorDataset(torch.ones(8, 2)))
        with self.assertRaisesRegex(AttributeError, "Can't modify frozen Options"):
            options.deviceIterations(3)
        with self.assertRaisesRegex(AttributeError, "frozen"):
            options.Training.gradientAccumulation(3)
        copied = options.clone().deviceIterations(5)
        self.assertEqual((copied.device_iterations, options.device_iterations), (5, 2))

    def test_environment_and_files_set_options(self):
        with mock.patch.dict(os.environ, POPTORCH_DEFAULT_OPTIONS='{"deviceIterations": 3}'):
            self.assertEqual(poptorch.Options().device_iterations, 3)
        with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
            file.write("# a comment\nreplicationFactor(2)\nTraining.gradientAccumulation(4)\n")
            file.flush()
            options = poptorch.Options().loadFromFile(file.name)
        self.assertEqual((options.replication_factor, options.Training.gradient_accumulation), (2, 4))

    def test_an_unknown_session_option_is_named(self):
        options = self.options()
        options._Popart.set("noSuchOption", 1)
        with self.assertRaisesRegex(poptorch.Error, "noSuchOption"):
            poptorch.inferenceModel(Classifier(), options)(torch.ones(1, 8))


class Arguments(ModelTest):
    def test_a_second_call_must_be_like_the_first(self):
        wrapped = poptorch.inferenceModel(Classifier(), self.options())
        wrapped(torch.ones(2, 8))
        with self.assertRaisesRegex(poptorch.Error, r"expected torch.Size\(\[2, 8\]\) but got torch.Size\(\[3, 8\]\)"):
            wrapped(torch.ones(3, 8))
        with self.assertRaisesRegex(poptorch.Error, "expected torch.float32 but got torch.int64"):
            wrapped(torch.ones(2, 8, dtype=torch.long))
        wrapped.destroy()
        self.assertEqual(wrapped(torch.ones(3, 8)).shape, (3, 4))

    def test_a_batch_must_have_whole_micro_batches(self):
        wrapped = poptorch.inferenceModel(Classifier(), self.options().deviceIterations(4))
        with self.assertRaisesRegex(poptorch.Error, r"Invalid batch dimension.*deviceIterations\(4\)"):
            wrapped(torch.ones(6, 8))

    def test_the_same_shapes_compile_once(self):
        compiled = []
        handle = poptorch.registerPostCompileHook(lambda: compiled.append(1))
        wrapped = poptorch.inferenceModel(Classifier(), self.options())
        wrapped(torch.ones(2, 8))
        wrapped(torch.zeros(2, 8))
        handle.remove()
        self.assertEqual(len(compiled), 1)

    def test_a_loader_gives_what_a_call_takes(self):
        options = self.options().deviceIterations(3).replicationFactor(2)
        options.Training.gradientAccumulation(4)
        data = torch.utils.data.TensorDataset(torch.ones(100, 2))
        loader = poptorch.DataLoader(options, data, batch_size=2, mode=poptorch.DataLoaderMode.Async)
        self.assertEqual(loader.combinedBatchSize, 48)
        self.assertEqual([one[0].shape[0] for one in loader], [48, 48])


class Blocks(ModelTest):
    class Layers(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = torch.nn.Linear(4, 4)
            self.second = torch.nn.Linear(4, 4)

        def forward(self, x):
            return self.second(self.first(x))

    def test_blocks_are_stages(self):
        model = self.Layers()
        poptorch.BeginBlock(model.second, ipu_id=1)
        with self.assertRaisesRegex(poptorch.Error, "already been assigned to a block"):
            poptorch.BeginBlock(model.second, ipu_id=1)
        wrapped = poptorch.inferenceModel(model, self.options().deviceIterations(2))
        wrapped(torch.ones(2, 4))
        ipus = {node.scope: node.block[2] for node in wrapped._compiled.graph.nodes}
        self.assertEqual(ipus, {"first": 0, "second": 1})
        self.assertEqual(len(wrapped.prediction.runs), 2)

    def test_a_pipeline_wants_micro_batches(self):
        model = self.Layers()
        poptorch.BeginBlock(model.second, ipu_id=1)
        with self.assertRaisesRegex(poptorch.Error, "deviceIterations must be greater than or equal to"):
            poptorch.inferenceModel(model, self.options())(torch.ones(1, 4))

    def test_blocks_do_nothing_outside(self):
        with poptorch.Block("one", ipu_id=3):
            poptorch.Block.start(ipu_id=2)
        self.assertFalse(poptorch.isRunningOnIpu())

    def test_what_is_not_there_is_named(self):
        with self.assertRaisesRegex(poptorch.Error, "poptorch.fps is not available"):
            poptorch.fps()


if __name__ == "__main__":
    main()
