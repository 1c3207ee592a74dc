# SPDX-License-Identifier: Apache-2.0
"""Tensors as text, in the form of the device's print."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Form:
    """How tensors are printed. Tensors of more elements than `threshold` show `edges` at both ends."""
    threshold: int = 1000
    edges: int = 3
    width: int = 80
    digits: int = 4
    float_format: str = "auto"
    separator: str = " "
    opening: str = "["
    closing: str = "]"

    def _number(self, value):
        if not isinstance(value, float):
            return str(value).lower() if isinstance(value, bool) else str(value)
        if self.float_format == "scientific":
            return f"{value:.{max(self.digits - 1, 0)}e}"
        before = len(str(abs(int(value)))) if value == value and abs(value) != float("inf") else 1
        return f"{value:.{max(self.digits - before, 0)}f}"

    def _row(self, values, depth):
        line = " " * depth + self.opening
        lines = []
        for place, value in enumerate(values):
            text = value if value == "..." else self._number(value)
            last = place + 1 == len(values)
            if len(line) + len(text) > self.width and line.strip() != self.opening:
                lines.append(line)
                line = " " * (depth + 2)
            line += text + (self.closing if last else self.separator)
        return "\n".join([*lines, line])

    def _shown(self, values, is_short):
        if not is_short or len(values) <= 2 * self.edges:
            return list(values)
        return [*values[:self.edges], "...", *values[-self.edges:]]

    def _nested(self, values, depth, is_short):
        if values == "...":
            return " " * depth + "..."
        if not values or not isinstance(values[0], list):
            return self._row(self._shown(values, is_short), depth)
        rows = [self._nested(one, depth + 1, is_short) for one in self._shown(values, is_short)]
        return "\n".join([" " * depth + self.opening, *rows, " " * depth + self.closing])

    def text(self, tensor):
        """The text of a tensor."""
        values = tensor.detach().tolist()
        if not isinstance(values, list):
            return self._number(values)
        return self._nested(values, 0, tensor.numel() > self.threshold)
