# SPDX-License-Identifier: Apache-2.0
"""Writes networks in the format of ONNX, by the wire format of protocol buffers. Numbers of weights are left out: a
weight says that its numbers are in another file, which nobody reads."""
import dataclasses
import struct

FLOAT, INT32, INT64, BOOL, HALF = 1, 6, 7, 9, 10
_IR_VERSION = 8
_OPSET = 17


def _varint(number):
    number &= (1 << 64) - 1
    made = bytearray()
    while True:
        low, number = number & 0x7F, number >> 7
        made.append(low | (0x80 if number else 0))
        if not number:
            return bytes(made)


def _whole(field, number):
    return _varint(field << 3) + _varint(number)


def _bytes(field, value):
    value = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _float(field, number):
    return _varint(field << 3 | 5) + struct.pack("<f", number)


def _attribute(name, value):
    kinds = {float: 1, int: 2, bool: 2, str: 3}
    if isinstance(value, (list, tuple)):
        of_floats = any(isinstance(one, float) for one in value)
        body = b"".join(_float(7, one) if of_floats else _whole(8, one) for one in value)
        return _bytes(1, name) + body + _whole(20, 6 if of_floats else 7)
    if isinstance(value, float):
        body = _float(2, value)
    elif isinstance(value, str):
        body = _bytes(4, value)
    else:
        body = _whole(3, int(value))
    return _bytes(1, name) + body + _whole(20, kinds[type(value)])


@dataclasses.dataclass
class OnnxNode:
    """A node of the file."""
    op: str
    name: str
    inputs: list
    outputs: list
    attributes: dict
    domain: str = ""

    def encoded(self):
        """Its bytes."""
        body = b"".join(_bytes(1, one) for one in self.inputs) + b"".join(_bytes(2, one) for one in self.outputs)
        body += _bytes(3, self.name) + _bytes(4, self.op)
        body += b"".join(_bytes(5, _attribute(name, value)) for name, value in self.attributes.items())
        return body + (_bytes(7, self.domain) if self.domain else b"")


@dataclasses.dataclass
class OnnxTensor:
    """A tensor of the file: its element type is a number of ONNX. `numbers` are whole or real; None for a weight."""
    name: str
    shape: tuple
    kind: int
    numbers: list = None

    def as_value(self):
        """Its bytes as an input, an output, or a value between nodes."""
        dimensions = b"".join(_bytes(1, _whole(1, size)) for size in self.shape)
        tensor_type = _whole(1, self.kind) + _bytes(2, dimensions)
        return _bytes(1, self.name) + _bytes(2, _bytes(1, tensor_type))

    def as_initialiser(self):
        """Its bytes as numbers of the file."""
        body = b"".join(_whole(1, size) for size in self.shape) + _whole(2, self.kind) + _bytes(8, self.name)
        if self.numbers is None:
            return body + _bytes(13, _bytes(1, "location") + _bytes(2, "weights")) + _whole(14, 1)
        codes = {FLOAT: "f", INT32: "i", INT64: "q", BOOL: "?", HALF: "e"}
        return body + _bytes(9, struct.pack(f"<{len(self.numbers)}{codes[self.kind]}", *self.numbers))


def encode(nodes, inputs, outputs, initialisers, values, name):
    """The bytes of a model."""
    graph = b"".join(_bytes(1, one.encoded()) for one in nodes) + _bytes(2, name)
    graph += b"".join(_bytes(5, one.as_initialiser()) for one in initialisers)
    graph += b"".join(_bytes(11, one.as_value()) for one in inputs)
    graph += b"".join(_bytes(12, one.as_value()) for one in outputs)
    graph += b"".join(_bytes(13, one.as_value()) for one in values)
    opset = _bytes(8, _bytes(1, "") + _whole(2, _OPSET))
    return _whole(1, _IR_VERSION) + _bytes(2, "ipusim poptorch") + _bytes(7, graph) + opset
