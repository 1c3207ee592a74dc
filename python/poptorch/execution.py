# SPDX-License-Identifier: Apache-2.0
"""How the IPUs of a model share it: stages, phases and the four execution strategies."""
from .enums import AutoStage, Liveness
from .errors import Error


class Stage:
    """Blocks that one IPU executes together."""

    def __init__(self, *block_ids):
        assert block_ids, "a stage needs a block"
        self._blocks = [str(block) for block in block_ids]
        self._ipu = None
        self._number = None

    @property
    def blocks(self):
        """The names of the blocks."""
        return self._blocks

    def ipu(self, ipu):
        """Chooses the IPU of the stage."""
        self._ipu = ipu
        return self

    def _setStage(self, stage):
        assert self._number in (None, stage), "a stage has one place"
        self._number = stage
        return self

    def __repr__(self):
        return f"Stage({', '.join(self._blocks)})"


class Phase:
    """Stages that run at one time. Texts are blocks of one stage each."""

    def __init__(self, *arg):
        if len(arg) == 1 and isinstance(arg[0], (list, tuple)):
            arg = arg[0]
        assert arg, "a phase needs a stage"
        texts = [one for one in arg if not isinstance(one, Stage)]
        assert not texts or len(texts) == len(arg), "a phase is made of stages or of blocks"
        self.stages = [Stage(*texts)] if texts else list(arg)

    def stage(self, idx):
        """A stage of the phase."""
        return self.stages[idx]

    def ipus(self, *ipus):
        """Chooses the IPUs of its stages."""
        assert len(ipus) == len(self.stages), "a phase needs an IPU for each stage"
        for stage, ipu in zip(self.stages, ipus):
            stage.ipu(ipu)
        return self


class _Strategy:
    """Where blocks go. `number` is the mode of the interface, `word` the one of the log."""
    number, word = 0, "Pipelined"

    def __init__(self, *args):
        self._auto = AutoStage.SameAsIpu
        self._stages = []
        if len(args) == 1 and isinstance(args[0], AutoStage):
            self._auto = args[0]
            return
        texts = [isinstance(one, str) for one in args]
        assert all(texts) or not any(texts), "wanted either stages or blocks"
        for number, one in enumerate(args):
            stage = one if isinstance(one, Stage) else Stage(one)
            self._stages.append(stage._setStage(number))  # pylint: disable=protected-access

    def begin(self):
        """A function that gives a block its stage and IPU, in the order in which blocks begin."""
        known = {block: stage for stage in self._stages for block in stage.blocks}
        placed, last = {}, [None, 0]  # stage 0 is what stands before the first block

        def place(user_id, ipu_id):
            if known:
                return self._of_stage(known, user_id, ipu_id)
            if self._auto == AutoStage.SameAsIpu:
                return ipu_id or 0, ipu_id or 0
            if user_id is not None and user_id in placed:
                return placed[user_id]
            ipu = last[1] + 1 if ipu_id is None else ipu_id
            if ipu != last[0]:
                last[:] = [ipu, last[1] + 1]
            placed[user_id] = last[1], ipu
            return placed[user_id]

        return place

    @staticmethod
    def _of_stage(known, user_id, ipu_id):
        if user_id not in known:
            raise Error(f"Unknown block {user_id}, known blocks are {sorted(known)}")
        stage = known[user_id]
        number, ipu = stage._number, stage._ipu  # pylint: disable=protected-access
        if ipu is None:
            ipu = number if ipu_id is None else ipu_id
        return number, ipu

    def stage(self, block_id):
        """The stage of a block that was named."""
        for stage in self._stages:
            if str(block_id) in stage.blocks:
                return stage
        raise Error(f"Unknown block {block_id}")

    @property
    def needs_blocks(self):
        """Whether every operation must stand in a block."""
        return bool(self._stages) or self._auto == AutoStage.AutoIncrement

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(map(repr, self._stages)) or self._auto})"


class PipelinedExecution(_Strategy):
    """All IPUs work at once, on micro-batches of their own."""
    number, word = 0, "Pipelined"


class ShardedExecution(_Strategy):
    """One IPU works at a time."""
    number, word = 1, "Sharded"


class _PhasedExecution(_Strategy):
    """Phases of the model take turns."""
    number, word = 2, "Phased"

    def __init__(self, *phases):
        super().__init__()
        if len(phases) == 1 and isinstance(phases[0], AutoStage):
            self._auto = phases[0]
            phases = ()
        self._phases = [one if isinstance(one, Phase) else Phase(one) if isinstance(one, (list, tuple)) else Phase(one)
                        for one in phases]
        for number, phase in enumerate(self._phases):
            for stage in phase.stages:
                self._stages.append(stage._setStage(number))  # pylint: disable=protected-access
        self._has_backward_phase = False
        self._liveness = Liveness.AlwaysLive

    def phase(self, phase):
        """A phase by its number."""
        assert 0 <= phase < len(self._phases), "no phase of this number"
        return self._phases[phase]

    def useSeparateBackwardPhase(self, use=True):
        """Accepted: backward phases are those of the schedule."""
        self._has_backward_phase = use
        return self


class SerialPhasedExecution(_PhasedExecution):
    """One phase at a time, on the same IPUs."""

    def setTensorsLiveness(self, liveness):
        """Where tensors of a phase wait."""
        assert isinstance(liveness, Liveness), "wanted a poptorch.Liveness"
        self._liveness = liveness
        return self


class ParallelPhasedExecution(_PhasedExecution):
    """Phases alternate between two groups of IPUs."""

    def sendTensorsOffChipAfterFwd(self, off_chip=True):
        """Whether tensors leave the chip between the passes."""
        self._liveness = Liveness.OffChipAfterFwd if off_chip else Liveness.AlwaysLive
        return self
