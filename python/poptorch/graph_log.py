# SPDX-License-Identifier: Apache-2.0
"""A recorded graph in the log: each operation with its module, stage and IPU."""
import logging

from ._logging import logger
from .execution import PipelinedExecution
from .execution_checks import stages_of

# Words of the log for operations of ATen.
_WORDS = {"mul": "Mul", "add": "Add", "sub": "Sub", "div": "Div", "relu": "Relu", "mm": "MatMul", "addmm": "Gemm",
          "bmm": "MatMul", "convolution": "Conv", "t": "Transpose", "transpose": "Transpose", "permute": "Transpose",
          "_softmax": "Softmax", "_log_softmax": "LogSoftmax"}


def log_graph(graph, options):
    """Writes the operations of a graph, where the level asks for it."""
    if not logger.isEnabledFor(logging.DEBUG):
        return
    strategy = options._execution_strategy  # pylint: disable=protected-access
    is_pipelined = isinstance(strategy, PipelinedExecution) and len(stages_of(graph)) > 1
    logger.debug("enablePipelining set to value %d", int(is_pipelined))
    uses = {}
    for node in graph.nodes:
        short = node.op.split("::")[-1].split(".")[0]
        word = _WORDS.get(short, short)
        scope = node.scope.replace(".", "/")
        name = f"{scope}/{word}:0" if scope else f"{word}:0"
        uses[name] = uses.get(name, -1) + 1
        numbered = f"{name}/{uses[name]}" if uses[name] else name
        _, stage, ipu = node.block
        place = "phase" if strategy.word == "Phased" else "stage"
        shapes = ", ".join(f"{str(one.dtype).split('.')[-1]}{tuple(one.shape)}" for one in node.results)
        logger.debug(" %s [%s], mode(%s), ipu(%d), %s(%d)", numbered, shapes, strategy.word, ipu, place, stage)
