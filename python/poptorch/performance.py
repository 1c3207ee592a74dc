# SPDX-License-Identifier: Apache-2.0
"""Times of calls, from the prediction of the compiled program and the link to the host."""
import time

from .enums import OutputMode


class Performance:
    """What a call takes. Seconds of the device are those of the simulated run; seconds of the link are bytes over the
    rate of the host link."""

    def __init__(self, compiled, options, batching):
        self._compiled = compiled
        self._options = options
        self._batching = batching
        self._start = time.monotonic()

    def count_run(self):
        """A call begins to be measured when it is over: its times are modelled."""
        self._start = time.monotonic()

    @property
    def _prediction(self):
        return self._compiled.prediction

    @property
    def cycles(self):
        """Cycles of the device in a call."""
        return self._prediction.expect_known().cycles_of_call(self._batching)

    def _per_run(self):
        """Seconds of one micro-batch: (inputs, device, outputs)."""
        prediction = self._prediction.expect_known()
        device = prediction.seconds_of_call(self._batching) / (self._batching.iterations
                                                               * self._batching.accumulation)
        if self._options.synthetic_data:
            return 0.0, device, 0.0
        return prediction.input_seconds, device, prediction.output_seconds

    @staticmethod
    def _three(seconds):
        return seconds, seconds, seconds

    def host_to_ipu(self):
        """Of the inputs of a micro-batch."""
        return self._three(self._per_run()[0])

    def compute(self):
        """Of the device for a micro-batch."""
        if self._options.synthetic_data:
            return self._three(0.0)
        return self._three(self._per_run()[1])

    def ipu_to_host(self):
        """Of the outputs of a micro-batch."""
        return self._three(self._per_run()[2])

    def round_trip(self):
        """Of all three."""
        if self._options.synthetic_data:
            return self._three(0.0)
        return self._three(sum(self._per_run()))

    def counters(self):
        """For each tensor the time of each step on a clock that begins with the call."""
        compiled, batching = self._compiled, self._batching
        names = ("input", "input_complete", "output", "output_complete")
        if self._options.synthetic_data:
            counts = (compiled.inputs, compiled.inputs, compiled.outputs, compiled.outputs)
            return {name: [[] for _ in range(count)] for name, count in zip(names, counts)}
        wait, device, back = self._per_run()
        period = wait + device + back
        steps = [number // batching.replicas * period for number in range(batching.runs)]
        kept = steps
        mode = self._options.output_mode
        if mode in (OutputMode.Final, OutputMode.Sum):
            kept = steps[-batching.replicas:]
        elif mode == OutputMode.EveryN:
            each = batching.accumulation * batching.replicas
            kept = [one for number, one in enumerate(steps)
                    if (number // each + 1) % self._options.output_return_period == 0]
        return {
            "input": [list(steps) for _ in range(compiled.inputs)],
            "input_complete": [[one + wait for one in steps] for _ in range(compiled.inputs)],
            "output": [[one + wait + device for one in kept] for _ in range(compiled.outputs)],
            "output_complete": [[one + period for one in kept] for _ in range(compiled.outputs)],
        }
