# SPDX-License-Identifier: Apache-2.0
"""Beam search over the outputs of a CTC network."""
import math

import torch


def _log_sum(*logs):
    largest = max(logs)
    if largest == -math.inf:
        return largest
    return largest + math.log(sum(math.exp(one - largest) for one in logs))


def _search(logs, blank, width):
    """The label sequences of one sample with their log probabilities, the most likely first."""
    beams = {(): (0.0, -math.inf)}  # log probabilities of paths that end with a blank, and with a label
    for row in logs:
        grown = {}

        def add(labels, with_blank, with_label):
            old = grown.get(labels, (-math.inf, -math.inf))
            grown[labels] = _log_sum(old[0], with_blank), _log_sum(old[1], with_label)

        for labels, (with_blank, with_label) in beams.items():
            for label, log in enumerate(row):
                if label == blank:
                    add(labels, _log_sum(with_blank, with_label) + log, -math.inf)
                elif labels and labels[-1] == label:
                    add(labels, -math.inf, with_label + log)
                    add(labels + (label,), -math.inf, with_blank + log)
                else:
                    add(labels + (label,), -math.inf, _log_sum(with_blank, with_label) + log)
        ranked = sorted(grown.items(), key=lambda item: -_log_sum(*item[1]))
        beams = dict(ranked[:width])
    return [(labels, _log_sum(*both)) for labels, both in beams.items()]


def decode(probs, lengths, blank, beam_width, top_paths):
    """(log probabilities, lengths, labels) of the `top_paths` best sequences of (time, batch, classes)."""
    steps, batch = probs.shape[:2]
    found = torch.full((batch, top_paths), -math.inf)
    sizes = torch.zeros((batch, top_paths), dtype=torch.int32)
    labels = torch.full((batch, top_paths, steps), blank, dtype=torch.int32)
    for sample in range(batch):
        logs = probs[:int(lengths[sample]), sample].tolist()
        for place, (sequence, log) in enumerate(_search(logs, blank, beam_width)[:top_paths]):
            found[sample, place] = log
            sizes[sample, place] = len(sequence)
            labels[sample, place, :len(sequence)] = torch.tensor(sequence, dtype=torch.int32)
    return found, sizes, labels
