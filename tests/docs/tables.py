# SPDX-License-Identifier: Apache-2.0
"""Prints a table or the numbers of a page of the docs, from runs of ./ipusim in the current folder.

usage: tables.py NAME
"""
import csv
import json
import re
import subprocess
import sys
import tempfile

QUICK = ["--engine", "closed-form"]
PLAIN = [*QUICK, "--no-advice"]


def ipusim(*arguments):
    done = subprocess.run(["./ipusim", *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{arguments}: {done.stderr}")
    return done.stdout


def sets(**keys):
    return [word for key, value in keys.items() for word in ("--set", f"workload.{key}={value}")]


def result(config, *arguments):
    return json.loads(ipusim("run", config, "--json", *arguments))


def answer_of(workload, *arguments):
    """Of a workload without a shipped config, by its keys, on one GC200."""
    values = "".join(f"{key} = {json.dumps(value)}\n" for key, value in workload.items())
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as config:
        config.write(f'machine = "gc200"\n[workload]\n{values}')
        config.flush()
        return ipusim("run", config.name, *arguments)


def table(headings, rows):
    """As a page has it: to the right where every cell below a heading is a number."""
    line = lambda cells: f"| {' | '.join(cells)} |"
    rules = ["---:" if all(re.fullmatch(r"[\d.,]+", cell) for cell in column) else "---" for column in zip(*rows)]
    return "\n".join([line(headings), line(rules), *map(line, rows)])


def bytes_text(count):
    """Three digits, as the program prints them."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 999.5:
            return f"{count:.{max(0, 3 - len(str(int(count))))}f} {unit}" if unit != "B" else f"{count} B"
        count /= 1000
    raise ValueError("more than gigabytes")


# What the text of an answer says.

def words_of(text):
    """Without the breaks of its lines."""
    return " ".join(text.split())


def time_of(text):
    return re.search(r", ([\d.]+ [mu]?s) ±", words_of(text))[1]


def fit_of(text):
    """By the criterion of fit: gaps between addresses count."""
    said = words_of(text)
    fullest = re.search(r"MEMORY .{1,30}is the fullest: ([\d.]+ \w+) of", said)
    if fullest:
        return f"yes, {fullest[1]} on the fullest tile"
    over = re.search(r"MEMORY .{1,30}is ([\d.]+ \w+) over its [\d.]+ \w+ (.*?)\.", said)
    return f"no, {over[1]} too much" + (" code" if "code" in over[2] else "")


def shares_of(text):
    parts = re.search(r"compute [\d,]+ ([\d.]+) %.* exchange [\d,]+ ([\d.]+) %.*? sync, waiting for others [\d,]+ ([\d.]+) %",
                      words_of(text.split("\nTIME ")[1].split("\n\n")[0]))
    return ", ".join(str(round(float(share))) for share in parts.groups()) + " %"


# docs/how-to/networks.md

NETWORKS = {
    "MobileNetV2": ("mobilenet_v2.txt", "3 x 224 x 224"),
    "ViT-B/16": ("vit_b16.txt", "3 x 224 x 224"),
    "ResNet-50": ("resnet50.txt", "3 x 224 x 224"),
    "VGG-16": ("vgg16.txt", "3 x 224 x 224"),
    "U-Net": ("unet.txt", "1 x 256 x 256"),
    "GPT-2, 124 M": ("gpt2.txt", "128 tokens"),
    "BERT-large": ("bert_large.txt", "128 tokens"),
}


def network_keys(name, batch=1):
    """A forward pass in half."""
    file, shape = NETWORKS[name]
    sizes = [int(size) for size in shape.removesuffix(" tokens").split(" x ")]
    return {"kind": "network", "file": f"configs/networks/{file}", "input": sizes, "batch": batch, "type": "half"}


def network(name, *arguments):
    """The text of one sample's forward pass."""
    return answer_of(network_keys(name), "--width", "120", *PLAIN, *arguments)


def networks():
    rows = []
    for name, (_, shape) in NETWORKS.items():
        text = network(name)
        rows.append([name, shape, fit_of(text), time_of(text), shares_of(text)])
    return table(["Network", "Input", "Fits", "Predicted time", "Compute, exchange, sync"], rows)


# docs/studies/inference.md

C600_ROWS = "configs/measurements/networks/c600.csv"


def inference():
    """Published and predicted times of the rows, and whether the program fits."""
    said = dict(re.findall(r"^\| ([A-Z]+-\d+) \| held out \| \S+ \| (.*) \|$",
                           ipusim("validate", "--measurements", C600_ROWS, "--markdown"), re.MULTILINE))
    with open(C600_ROWS) as file:
        measured = list(csv.DictReader(file))
    rows = []
    for row in measured:
        predicted, _, error, status = said[row["id"]].split(" | ")
        words = dict(word.partition("=")[::2] for word in row["config"].split(";"))
        inputs = words.get("workload.input", "224 x 224").strip("[]")
        rows.append([row["kind"].removesuffix(" inference"), inputs, words.get("workload.batch", "1"),
                     f"{float(row['value']) * 1e3:.3g} ms", "-" if predicted == "-" else f"{float(predicted) * 1e3:.3g} ms",
                     error, "no" if status == "does_not_fit" else "yes"])
    return table(["Network", "Input", "Batch", "Published", "Predicted", "Error", "Said to fit"], rows)


def networks_by_layer():
    rows = []
    for name in ("ResNet-50", "VGG-16", "U-Net", "GPT-2, 124 M", "BERT-large"):
        text = network(name, *sets(compile="separate"))
        said = re.search(r"SEPARATE (\d+) layers, each a program of its own, (\d+) of them different, (all fit|[\d,]+ DO NOT FIT)",
                         words_of(text))
        fit = "all" if said[3] == "all fit" else "all but " + said[3].split()[0]
        rows.append([name, f"{said[1]}, {said[2]}", fit, time_of(text)])
    return table(["Network", "Layers, different programs", "Fit", "Predicted sum"], rows)


LAYERS = "linear 784 512; relu; save short; linear 512; relu; {} 512; add short; relu; linear 512 10"


def structured_layers():
    rows = []
    for word in ("linear", "low_rank", "circulant", "butterfly", "fastfood", "pixelfly"):
        arguments = ["configs/runs/network.toml", *sets(layers=LAYERS.format(word)), *PLAIN]
        one = result(*arguments)
        layer = one["layers"][4]
        rows.append([f"`{word} 512`", f"{one['model']['parameters']:,}", f"{layer['forward_cycles']:,} cycles",
                     f"{layer['backward_cycles']:,} cycles", time_of(ipusim("run", *arguments))])
    return table(["Third layer", "Parameters", "Its forward pass", "Its backward pass", "Step"], rows)


DCT = {"codec": "dct_chop", "chop": 4}
CODECS = {
    "`dct_chop`, chop 4, `dense`": {**DCT, "form": "dense"},
    "`dct_chop`, chop 4, `dense`, split 8": {**DCT, "form": "dense", "split": 8},
    "`dct_chop`, chop 4, `blockwise`": {**DCT, "form": "blockwise"},
    "`dct_chop`, chop 4, `fused`": {**DCT, "form": "fused"},
    "`quantise`, 8 bits": {"codec": "quantise"},
    "`float8`": {"codec": "float8"},
    "`relu_mask`": {"codec": "relu_mask"},
    "`half`": {"codec": "half"},
}


def codec_rates():
    def rates(shape, keys):
        """Encoded and decoded, in GB/s to three digits."""
        found = json.loads(answer_of({"kind": "codec", "shape": shape, **keys}, "--json", *PLAIN))["compression"]
        return ", ".join(f"{float(f'{found[key] / 1e9:.3g}'):.0f}"
                         for key in ("encode_bytes_per_second", "decode_bytes_per_second"))

    rows = [[name, rates([256, 64, 64], keys), rates([4096, 64, 64], keys)] for name, keys in CODECS.items()]
    return table(["Codec", "4.2 MB: encoded, decoded at GB/s", "67 MB: encoded, decoded at GB/s"], rows)


def codecs_of_a_block():
    found = result("configs/networks/compressed_block.toml", *PLAIN)["compression"]
    rates = [f"{found[key] / 1e9:.0f} GB/s" for key in ("encode_bytes_per_second", "decode_bytes_per_second")]
    return f"{bytes_text(found['plain_saved_bytes'])} in\nencoded at {rates[0]} and decoded at {rates[1]}"


# docs/concepts/uncertainty.md

def product(m, k, n, **more):
    return result("configs/runs/matmul.toml", *sets(m=m, k=k, n=n, **more), *PLAIN)


def bands():
    rows = []
    for m, k, n in ((1024,) * 3, (2048,) * 3, (2039,) * 3, (4096, 4096, 1), (1, 1, 1)):
        one = product(m, k, n)
        known = one["uncertainty"]
        padded = re.search(r"the (\d+) of like sizes are padded differently", known.get("wider_because", ""))
        near = str(known["near_rows"]) + (f", and {padded[1]} of like sizes that are padded differently" if padded else "")
        band = one["time"]["high_seconds"] / one["time"]["seconds"] - 1
        rows.append([f"{m} x {k} x {n}", near, f"{100 * band:.0f} %"])
    return table(["Product on a GC200, float", "Near rows", "Band"], rows)


def estimates():
    rows = []
    for sizes in ((1024, 1024, 1), (4096, 4096, 1), (4096, 1, 4096), (31, 1024, 1024)):
        runs = [product(*sizes, type=name) for name in ("float", "half")]
        ratios = ", ".join(f"{one['plan']['estimated_cycles'] / one['time']['cycles']:.2f}" for one in runs)
        rows.append([" x ".join(map(str, sizes)), "float, half", ratios])
    return table(["m x k x n", "Type", "Estimate over predicted time"], rows)


def vector_products():
    found = [product(4096, 4096, 1, type="half"), product(4096, 4096, 1), product(4096, 4096, 1, type="half", method="HMAC"),
             product(1, 4096, 4096, type="half")]
    return "\n".join(f"{one['time']['cycles']:,}" for one in found)


# docs/concepts/energy.md

HALF_SRAM = ["sram_per_tile_bytes=319488", "code_region_bytes=106496"]
TWICE_AMP = ["conv_units_half_half=32", "conv_units_half_float=16", "conv_units_float_float=32"]
DESIGNS = {
    "half the SRAM / twice the SRAM": [HALF_SRAM, ["sram_per_tile_bytes=1277952"]],
    "twice the AMP engines": [TWICE_AMP],
    "an exchange of 8 bytes a cycle": [["exchange_bytes_per_cycle=8"]],
    "half the tiles / twice the tiles of half the SRAM": [["tiles=736"], ["tiles=2944", *HALF_SRAM]],
}


def die_areas():
    def die(changes):
        """The median, and half of the band of 90 %."""
        sizes = sets(m=64, k=64, n=64)
        keys = [word for change in changes for word in ("--set", f"machine.{change}")]
        area = result("configs/runs/quickstart.toml", *PLAIN, *sizes, "--set", "machine=gc200-624k", *keys)["area"]
        return f"{area['die_mm2']:,.0f} ± {(area['high_die_mm2'] - area['low_die_mm2']) / 2:.0f}"

    rows = [[name, " / ".join(map(die, designs))] for name, designs in DESIGNS.items()]
    return table(["Change of the GC200", "Die, mm2"], rows)


# docs/how-to/read-a-report.md

DO_NOT_FIT = {
    "a product of 6000 x 6000 and 6000 x 6000 floats": ("configs/runs/matmul.toml", sets(m=6000, k=6000, n=6000)),
    "BERT-large in half, 2 texts of 128 tokens": (network_keys("BERT-large", batch=2), []),
    "training of a dense layer, 20,000 rows a batch": ("configs/runs/shl_training_baseline.toml", sets(batch=20000)),
    "a sparse product of 8192 x 8192 with 1 % and 8192 x 4096 floats":
        ("configs/runs/sparse_matmul.toml", sets(m=8192, k=8192, n=4096)),
    "ViT-B/16 in half, 16 pictures": (network_keys("ViT-B/16", batch=16), []),
    "a convolution of 256 pictures of 112 x 112 with 64 channels, float":
        ("configs/runs/conv.toml", sets(batch=256, field="[112, 112]", type="float")),
}


def remedy_of(advice):
    """As the page's summary: the change that takes least time."""
    best = min(advice["changes"], key=lambda change: change["runs"] * change["seconds"])
    runs = f", {best['runs']} runs" if best["runs"] > 1 else ""
    return f"{best['words']}{runs}: {bytes_text(best['max_tile_including_gaps_bytes'])}"


def does_not_fit():
    rows = []
    for name, (program, arguments) in DO_NOT_FIT.items():
        one = (result(program, *QUICK, *arguments) if isinstance(program, str) else
               json.loads(answer_of(program, "--json", *QUICK)))
        oom, capacity = one["oom"], one["machine"]["sram_per_tile_bytes"]
        is_code = oom["category"].endswith("_code")
        largest = f"a copy of `{oom['variable']}`" if oom["category"] == "message_buffers" else f"`{oom['variable']}`"
        largest = oom["category"].replace("_", " ") if is_code else largest
        tile = (f"{oom['tile']}: its code is {bytes_text(oom['bytes_over'])} too much" if is_code else
                f"{oom['tile']}: {bytes_text(capacity + oom['bytes_over'])} of {bytes_text(capacity)}")
        rows.append([name, tile, f"`{oom['step']}`" if oom.get("step") else "-",
                     f"{largest}, {bytes_text(oom['largest_bytes'])}", remedy_of(one["advice"])])
    return table(["Program", "Tile", "Step", "Largest there", "Remedy"], rows)


def slowest_steps():
    product_of_vector = product(4096, 4096, 1, type="half")
    fastfood = result("configs/runs/fastfood.toml", *PLAIN)
    share = lambda one, steps: f"{100 * sum(step['mean_cycles'] for step in steps) / one['time']['cycles']:.1f} %"
    lines = []
    for one in (product_of_vector, fastfood):
        slowest = max(one["steps"], key=lambda step: step["mean_cycles"])
        lines.append(f"`{slowest['name']}`, {share(one, [slowest])} of the time")
    for name, kinds in (("syncs take", ["sync"]), ("computations and copies", ["compute", "copy"]), ("exchanges", ["exchange"])):
        steps = [step for step in fastfood["steps"] if step["kind"] in kinds]
        lines.append(f"{len(steps)} {name} {share(fastfood, steps)}")
    return "\n".join(lines)


# docs/accuracy.md

def trust():
    """What the page says of kinds of rows at its head, by the table of all kinds below."""
    with open("docs/accuracy.md") as file:
        kinds = dict(re.findall(r"^\| ([^|]+) \| (\d+ of \d+ \| .*) \|$", file.read(), re.MULTILINE))
    lines = []
    for kind in ("dense matmul, half", "dense matmul, float", "convolution, half", "convolution on two IPUs", "sparse matmul, half",
                 "sparse matmul, float", "training", "training by an unknown lowering", "links and halos", "multi-IPU sync (fitted)",
                 "training, GPU", "PyTorch layer, H200", "captured layer, H200", "training, H200"):
        rows, median, worst = kinds[kind].split(" | ")[:3]
        count = int(rows.split()[0])
        lines.append(f"{kind}: {count} row{'s' * (count > 1)}, median {median}, worst {worst}")
    return "\n".join(lines)


# docs/how-to/redistribute.md

RANDOM_CASES = {
    ("200 on `pod16`", "16 IPUs"): [],
    ("50 on `pod64`", "64 IPUs"): ["machine=pod64", "redistribution.devices=64", "redistribution.random_cases=50"],
    ("200 on `gc200`", "16 tiles"): ["machine=gc200"],
}


def redistributions():
    rows = []
    for names, changes in RANDOM_CASES.items():
        text = ipusim("redistribute", "configs/redistributions/random.toml", "--set", "redistribution.seed=1",
                      *(word for change in changes for word in ("--set", change)))
        rows.append([*names, *re.search(r"geometric mean ([\d.]+), largest ([\d.]+)\s+buffers +([\d.]+)", text).groups()])
    return table(["Cases of seed 1", "Devices", "Speed-up, geometric mean", "Largest", "Buffers"], rows)


# docs/studies/exchange.md

def schedules():
    rows = []
    for size in (256, 512, 1024, 2048, 3072):
        runs = [result("configs/runs/quickstart.toml", *PLAIN, *sets(m=size, k=size, n=size), "--set", "machine=gc200-624k",
                       "--set", f"machine.exchange={name}") for name in ("bound", "scheduled")]
        exchanges = [sum(step["cycles"] for step in one["steps"] if step["kind"] == "exchange") for one in runs]
        whole = [one["time"]["cycles"] for one in runs]
        rows.append([str(size), *(f"{count:,}" for count in exchanges), f"{exchanges[1] / exchanges[0]:.3f}",
                     *(f"{count:,}" for count in whole), f"{whole[1] / whole[0]:.4f}"])
    return table(["size", "exchange, bound", "exchange, scheduled", "ratio", "run, bound", "run, scheduled", "ratio"], rows)


# docs/studies/memory.md

def ways_to_multiply():
    rows = []
    for name, variant in (("naive", "naive"), ("blocked", "blocked"), ("planned", "poplin")):
        one = product(768, 768, 768, variant=variant)
        graph, memory = one["graph"], one["memory"]
        code = memory["by_category"].get("internal_exchange_code", 0)
        rows.append([name, bytes_text(memory["total_bytes"]), bytes_text(code), str(graph["compute_sets"]), str(graph["exchanges"]),
                     f"{graph['vertices']:,}", f"{graph['edges']:,}", f"{1e3 * one['time']['seconds']:.3g} ms"])
    return table(["way", "memory", "of that exchange code", "compute sets", "exchanges", "vertices", "edges", "time"], rows)


# docs/tutorial/sweep-and-plot.md

def columns():
    with tempfile.TemporaryDirectory() as folder:
        ipusim("sweep", "configs/sweeps/matmul_columns.toml", "--out", folder)
        with open(f"{folder}/results.csv", newline="") as file:
            points = {point["workload.n"]: point for point in csv.DictReader(file)}
    keys = ["workload.n", "time.seconds", "work.gflops_per_second", "memory.max_tile_bytes", "graph.compute_sets"]
    row = lambda point: [point[keys[0]], f"{float(f'{float(point[keys[1]]):.3g}'):.7f}".rstrip("0"),
                         *(f"{float(point[key]):,.0f}" for key in keys[2:])]
    return table([f"`{key}`" for key in keys], [row(points[n]) for n in ("64", "256", "1024", "2048", "16384")])


TABLES = [networks, inference, networks_by_layer, structured_layers, codec_rates, codecs_of_a_block, bands, estimates,
          vector_products, does_not_fit, slowest_steps, trust, redistributions, schedules,
          ways_to_multiply, columns, die_areas]

if __name__ == "__main__":
    print({make.__name__: make for make in TABLES}[sys.argv[1]]())
