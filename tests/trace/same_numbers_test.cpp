// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

#include "base/config/key_request.h"
#include "sim/run/check/check_digests.h"
#include "tests/support/sanitizer.h"
#include "tests/support/toy_pod.h"
#include "tests/trace/trace_run.h"
#include "workloads/sources/trace/trace_workload.h"
#include "workloads/sources/trace/trace_writer.h"

// Every program that the words of a config can name leaves the bits that its trace leaves. The
// words are those that the readers of configs ask for, so that a new one cannot be forgotten.

namespace ipusim {
namespace {

using Digests = std::vector<run::VariableDigest>;

/// The keys whose words choose other keys. No small workload can try all their words.
const std::set<std::string> kSelectors = {"workload.kind", "workload.codelet", "workload.hidden"};

/// A workload at a size whose numbers take a moment.
struct Small {
  const char* scope;  ///< the kind, and the layer or codelet; each word must fit one of a scope
  const char* lines;
  std::uint32_t ipus = 1;
};

constexpr std::array kSmall = {
    Small{"butterfly", "kind = 'butterfly'\nfeatures = 8\nbatch = 4"},
    Small{"circulant", "kind = 'circulant'\nfeatures = 8\nbatch = 4"},
    Small{"fastfood", "kind = 'fastfood'\nfeatures = 8\nbatch = 4"},
    Small{"low_rank", "kind = 'low_rank'\nfeatures = 8\nbatch = 4\nrank = 2"},
    Small{"pixelfly",
          "kind = 'pixelfly'\nfeatures = 8\nbatch = 4\nbutterfly_size = 4\nblock = 2\nrank = 1"},
    Small{"linear", "kind = 'linear'\nin = 8\nout = 12\nbatch = 4"},
    Small{"linear", "kind = 'linear'\nin = 8\nout = 12\nbatch = 4\ntype = 'half'"},
    Small{"matmul", "kind = 'matmul'\nm = 16\nk = 16\nn = 16"},
    Small{"matmul", "kind = 'matmul'\nm = 16\nk = 16\nn = 16\ntype = 'half'"},
    Small{"matmul", "kind = 'matmul'\nm = 5\nk = 7\nn = 9\ngroups = 2"},
    Small{"matmul_chain", "kind = 'matmul_chain'\ndims = [8, 12, 4, 8]"},
    Small{"matmul_chain", "kind = 'matmul_chain'\ndims = [8, 12, 4, 8]\ntype = 'half'"},
    Small{"sparse_matmul",
          "kind = 'sparse_matmul'\nm = 16\nk = 16\nn = 8\ndensity = 0.4\nblock = 1"},
    Small{"sparse_matmul",
          "kind = 'sparse_matmul'\nm = 16\nk = 16\nn = 8\ndensity = 0.4\nblock = 4\ntype = 'half'"},
    Small{"elementwise", "kind = 'elementwise'\nop = 'relu'\nelements = 300"},
    Small{"elementwise", "kind = 'elementwise'\nop = 'add'\nelements = 300\nin_place = 'yes'"},
    Small{"stream", "kind = 'stream'\nkernel = 'add'\nelements = 300"},
    Small{"stream", "kind = 'stream'\nkernel = 'triad'\nelements = 300"},
    Small{"message_passing",
          "kind = 'message_passing'\nop = 'gather'\ninputs = 5\nfeatures = 4\noutputs = 7\n"
          "repetitions = 2"},
    Small{"exchange_latency", "kind = 'exchange_latency'\nfrom = 0\nto = 3\nbytes = 64"},
    Small{"exchange_pattern", "kind = 'exchange_pattern'\npattern = 'all_to_all'\nbytes = 16"},
    Small{"shl_training linear",
          "kind = 'shl_training'\nhidden = 'linear'\nfeatures = 4\n"
          "classes = 3\nbatch = 4\nsteps = 2"},
    Small{"shl_training butterfly",
          "kind = 'shl_training'\nhidden = 'butterfly'\nfeatures = 4\n"
          "classes = 3\nbatch = 4\nsteps = 2"},
    Small{"shl_training circulant",
          "kind = 'shl_training'\nhidden = 'circulant'\nfeatures = 4\n"
          "classes = 3\nbatch = 4\nsteps = 2"},
    Small{"shl_training fastfood",
          "kind = 'shl_training'\nhidden = 'fastfood'\nfeatures = 4\n"
          "classes = 3\nbatch = 4\nsteps = 2"},
    Small{"shl_training low_rank",
          "kind = 'shl_training'\nhidden = 'low_rank'\nfeatures = 4\n"
          "classes = 3\nbatch = 4\nsteps = 2"},
    Small{"shl_training pixelfly",
          "kind = 'shl_training'\nhidden = 'pixelfly'\nfeatures = 8\nclasses = 3\nbatch = 4\n"
          "steps = 2\nbutterfly_size = 4\nblock = 2\nrank = 1"},
    Small{"mlp_training", "kind = 'mlp_training'\ndims = [4, 6, 3]\nbatch = 4\nsteps = 2"},
    Small{"network",
          "kind = 'network'\ninput = [6]\nbatch = 4\n"
          "layers = 'linear 8; relu; save a; linear 8; add a; tanh; linear 3'"},
    Small{"network",
          "kind = 'network'\ninput = [6]\nbatch = 4\n"
          "layers = 'linear 8; relu; linear 3'\ntrain = {steps = 2}"},
    Small{"network",
          "kind = 'network'\ninput = [6]\nbatch = 1\n"
          "layers = 'linear 8; relu; linear 1'\ntrain = {loss = 'result'}"},
    Small{"onnx", "kind = 'onnx'\nfile = 'configs/networks/mlp.onnx'\nbatch = 2"},
    Small{"onnx", "kind = 'onnx'\nfile = 'configs/networks/mlp.onnx'\nbatch = 2\ntrain = {}"},
    Small{"network",
          "kind = 'network'\ninput = [4]\nbatch = 2\n"
          "layers = 'embedding 7 6; layer_norm; attention 2; gelu; dropout 0.5; linear 3'\n"
          "train = {optimiser = 'lamb', weight_decay = 0.1}"},
    Small{"network",
          "kind = 'network'\ninput = [4, 5, 5]\nbatch = 2\n"
          "layers = 'group_norm 2; silu; max_pool 3 stride 2; batch_norm; average_pool 2 pad 1; "
          "gelu_tanh; flatten; linear 3; log_softmax'\n"
          "train = {optimiser = 'lars', loss = 'squared_error'}"},
    Small{"codec", "kind = 'codec'\nshape = [2, 16, 16]\nbits = 8\nscale = 'block'\nblock = 16"},
    Small{"codec", "kind = 'codec'\nshape = [2, 16, 16]\ncodec = 'quantise'"},
    Small{"codec", "kind = 'codec'\nshape = [2, 16, 16]\ncodec = 'half'"},
    Small{"codec", "kind = 'codec'\nshape = [4, 8]\ncodec = 'low_rank'\nrank = 2"},
    Small{"collective", "kind = 'collective'\nop = 'all_reduce'\nelements = 40", 4},
    Small{"conv",
          "kind = 'conv'\nin_channels = 8\nout_channels = 8\ngroups = 2\nfield = [5, 4]\n"
          "kernel = [3, 3]\npadding = [1, 1]\ntype = 'half'\nsweeps = 2"},
    Small{"conv", "kind = 'conv'\nin_channels = 1\nout_channels = 4\nfield = [7]"},
    Small{"stencil", "kind = 'stencil'\npoints = [6, 8]\nsteps = 3"},
    Small{"stencil", "kind = 'stencil'\npoints = [6, 8, 4]\nshape = 'box'\ntype = 'half'", 4},
    Small{"codelet amp",
          "kind = 'codelet'\ncodelet = 'amp'\ntype = 'float'\n"
          "partials_type = 'float'\nfield = 3\nin_groups = 1\nout_groups = 1"},
    Small{"codelet amp",
          "kind = 'codelet'\ncodelet = 'amp'\ntype = 'half'\n"
          "partials_type = 'half'\nfield = 3\nin_groups = 2\nout_groups = 1"},
    Small{"codelet binary_op",
          "kind = 'codelet'\ncodelet = 'binary_op'\nop = 'add'\n"
          "type = 'float'\nelements = 9"},
    Small{"codelet binary_op",
          "kind = 'codelet'\ncodelet = 'binary_op'\nop = 'equal'\n"
          "type = 'int'\nelements = 9"},
    Small{"codelet binary_op",
          "kind = 'codelet'\ncodelet = 'binary_op'\nop = 'logical_and'\n"
          "type = 'bool'\nelements = 9"},
    Small{"codelet broadcast_vector",
          "kind = 'codelet'\ncodelet = 'broadcast_vector'\nop = 'multiply'\ntype = 'float'\n"
          "axis = 'inner'\nrows = 3\ncolumns = 4"},
    Small{"codelet butterfly_stage",
          "kind = 'codelet'\ncodelet = 'butterfly_stage'\ntype = 'float'\nfeatures = 8\n"
          "rows = 2\nstride = 2\ntwiddles = 2\noutputs = 'both'"},
    Small{"codelet cast",
          "kind = 'codelet'\ncodelet = 'cast'\ntype = 'float'\nto = 'half'\n"
          "elements = 9"},
    Small{"codelet copy",
          "kind = 'codelet'\ncodelet = 'copy'\ntype = 'half'\nelements = 5\n"
          "runs = 2"},
    Small{"codelet dropout",
          "kind = 'codelet'\ncodelet = 'dropout'\ntype = 'float'\nelements = 9\nrate = 0.5"},
    Small{"codelet dynamic_slice",
          "kind = 'codelet'\ncodelet = 'dynamic_slice'\n"
          "type = 'float'\nelements = 5\nslices = 3"},
    Small{"codelet conv_partial",
          "kind = 'codelet'\ncodelet = 'conv_partial'\nengine = 'hmac'\ntype = 'float'\n"
          "partials_type = 'float'\nin_chans = 2\nout_chans = 3\noutputs = [2, 3]\n"
          "kernel = [1, 2]\ninputs = [2, 3]\noffset = [0, 1]\noffset_below = [0, 1]"},
    Small{"codelet conv_partial",
          "kind = 'codelet'\ncodelet = 'conv_partial'\nengine = 'amp'\ntype = 'half'\n"
          "partials_type = 'half'\nin_chans = 16\nout_chans = 16\noutputs = [2, 2]\n"
          "kernel = [2, 2]\ninputs = [3, 3]"},
    Small{"codelet conv_partial",
          "kind = 'codelet'\ncodelet = 'conv_partial'\nengine = 'slic'\ntype = 'half'\n"
          "partials_type = 'half'\nin_chans = 4\nout_chans = 4\noutputs = [2, 6]\n"
          "kernel = [1, 4]\ninputs = [2, 9]"},
    Small{"codelet conv_partial",
          "kind = 'codelet'\ncodelet = 'conv_partial'\nengine = 'vmac'\ntype = 'half'\n"
          "partials_type = 'half'\ngrouped = 4\nin_chans = 1\nout_chans = 1\noutputs = [2, 3]\n"
          "kernel = [1, 2]\ninputs = [2, 4]"},
    Small{"codelet hmac",
          "kind = 'codelet'\ncodelet = 'hmac'\ntype = 'half'\npartials_type = 'half'\n"
          "field = 3\nin_groups = 1\nout_groups = 2\nin_chans = 4"},
    Small{"codelet hmac",
          "kind = 'codelet'\ncodelet = 'hmac'\ntype = 'float'\npartials_type = 'float'\n"
          "field = 3\nin_groups = 1\nout_groups = 2\nin_chans = 4"},
    Small{"codelet map_scalars", "kind = 'codelet'\ncodelet = 'map_scalars'\nop = 'add'"},
    Small{"codelet map_scalars", "kind = 'codelet'\ncodelet = 'map_scalars'\nop = 'less_than'"},
    Small{"codelet multi_slice",
          "kind = 'codelet'\ncodelet = 'multi_slice'\ntype = 'float'\n"
          "elements = 3\nrows = 5\noffsets = 2"},
    Small{"codelet inverse_std_dev", "kind = 'codelet'\ncodelet = 'inverse_std_dev'\nelements = 9"},
    Small{"codelet nonlinearity",
          "kind = 'codelet'\ncodelet = 'nonlinearity'\nfunction = 'gelu'\ntype = 'float'\n"
          "elements = 9"},
    Small{"codelet nonlinearity_grad",
          "kind = 'codelet'\ncodelet = 'nonlinearity_grad'\nfunction = 'tanh'\ntype = 'float'\n"
          "elements = 9"},
    Small{"codelet one_hot",
          "kind = 'codelet'\ncodelet = 'one_hot'\ntype = 'float'\nrows = 3\n"
          "classes = 4"},
    Small{"codelet outer_product",
          "kind = 'codelet'\ncodelet = 'outer_product'\n"
          "type = 'float'\nwidth = 3\nchans = 4\ngroups = 2"},
    Small{"codelet pooling",
          "kind = 'codelet'\ncodelet = 'pooling'\nfunction = 'sum'\ndirection = 'backward'\n"
          "type = 'float'\nplanes = 2\nchannels = 3\nfield = [4, 5]\npositions = [2, 5]\n"
          "window = [2, 3]\nstride = [2, 1]\ndilation = [1, 1]\noffset = [0, 1]"},
    Small{"codelet pooling",
          "kind = 'codelet'\ncodelet = 'pooling'\nfunction = 'max'\ndirection = 'forward'\n"
          "type = 'half'\nplanes = 1\nchannels = 4\nfield = [5]\npositions = [4]\n"
          "window = [2]\nstride = [1]\ndilation = [1]\noffset = [0]"},
    Small{"codelet pooling",
          "kind = 'codelet'\ncodelet = 'pooling'\nfunction = 'max_gradient'\n"
          "direction = 'backward'\ntype = 'float'\nplanes = 1\nchannels = 4\nfield = [5]\n"
          "positions = [4]\nwindow = [2]\nstride = [1]\ndilation = [1]\noffset = [0]"},
    Small{"codelet reduce",
          "kind = 'codelet'\ncodelet = 'reduce'\ntype = 'float'\n"
          "partials_type = 'half'\nelements = 4\npartials = 5"},
    Small{"codelet reduce_add",
          "kind = 'codelet'\ncodelet = 'reduce_add'\ntype = 'float'\n"
          "partials_type = 'float'\nelements = 8\npartials = 3"},
    Small{"codelet reduce_pairs",
          "kind = 'codelet'\ncodelet = 'reduce_pairs'\ntype = 'float'\n"
          "rows = 3\ncolumns = 4"},
    Small{"codelet relu_grad",
          "kind = 'codelet'\ncodelet = 'relu_grad'\ntype = 'float'\n"
          "elements = 9"},
    Small{"codelet scale_by_scalar",
          "kind = 'codelet'\ncodelet = 'scale_by_scalar'\n"
          "type = 'float'\nelements = 9"},
    Small{"codelet scaled_add",
          "kind = 'codelet'\ncodelet = 'scaled_add'\ntype = 'float'\n"
          "elements = 9\nscale = 0.3"},
    Small{"codelet sparse_matmul",
          "kind = 'codelet'\ncodelet = 'sparse_matmul'\ntype = 'half'\npartials_type = 'float'\n"
          "block = 4\nrows = 4\nin_rows = 8\ncolumns = 3\nrow_blocks = 2"},
    Small{"codelet ternary_op",
          "kind = 'codelet'\ncodelet = 'ternary_op'\nop = 'select'\ntype = 'float'\n"
          "elements = 9\nregions = 2"},
    Small{"codelet transpose",
          "kind = 'codelet'\ncodelet = 'transpose'\ntype = 'half'\n"
          "rows = 4\ncolumns = 8\nmatrices = 2"},
    Small{"codelet triad", "kind = 'codelet'\ncodelet = 'triad'\nelements = 8\nscale = 2.5"},
    Small{"codelet unary_op",
          "kind = 'codelet'\ncodelet = 'unary_op'\nop = 'tanh'\n"
          "type = 'float'\nelements = 9"},
    Small{"codelet unary_op",
          "kind = 'codelet'\ncodelet = 'unary_op'\nop = 'logical_not'\n"
          "type = 'bool'\nelements = 9"},
    Small{"codelet user_add", "kind = 'codelet'\ncodelet = 'user_add'\nelements = 9"},
    Small{"codelet user_product",
          "kind = 'codelet'\ncodelet = 'user_product'\nrows = 2\n"
          "inner = 3\ncolumns = 4"},
    Small{"codelet user_stencil",
          "kind = 'codelet'\ncodelet = 'user_stencil'\nshape = 'box'\ntype = 'half'\n"
          "points = [3, 4]"},
    Small{"codelet user_stencil",
          "kind = 'codelet'\ncodelet = 'user_stencil'\nshape = 'star'\ntype = 'float'\n"
          "points = [3, 4, 2]"},
    Small{"codelet zero", "kind = 'codelet'\ncodelet = 'zero'\ntype = 'float'\nelements = 9"},
};

/// A word at a key.
using Choice = std::pair<std::string, std::string>;

/// Runs `lines`, the keys of a workload, on the machine of `small`.
std::string textOn(const Small& small, const std::string& lines) {
  const std::string machine = small.ipus > 1 ? models::toyPodTable(small.ipus) : "\"toy\"";
  return "machine = " + machine + "\n[workload]\n" + lines;
}

ConfigReader wordedConfig(const Small& small, const std::optional<Choice>& choice) {
  std::vector<Override> overrides;
  if (choice) overrides.push_back({choice->first, '"' + choice->second + '"'});
  return ConfigReader::fromText(textOn(small, small.lines), "run.toml", overrides);
}

/// The program of `small` with another word. None where the other keys do not go with it.
std::optional<run::BuiltConfig> programOf(const Small& small, const std::optional<Choice>& choice) {
  try {
    return run::build(wordedConfig(small, choice));
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

/// The words that the readers of `small` know.
std::vector<Choice> choicesOf(const Small& small) {
  const ConfigReader config = wordedConfig(small, {});
  static_cast<void>(run::build(config));
  std::vector<Choice> choices;
  for (const AskedKey& asked : config.askedKeys()) {
    if (asked.key.rfind("workload.", 0) != 0 || asked.type != "one of") continue;
    for (std::size_t at = 0; at < asked.range.size();) {
      const std::size_t end = std::min(asked.range.find(", ", at), asked.range.size());
      choices.emplace_back(asked.key, asked.range.substr(at, end - at));
      at = end + 2;
    }
  }
  return choices;
}

Digests digestsOf(const ConfigReader& config, const std::map<VariableId, std::uint64_t>& below) {
  const run::Experiment experiment = run::prepare(config);
  return run::digestsOf(experiment.workload.graph, experiment.executable, below);
}

/// Compares the numbers of a program of `small` with those of its trace.
void expectSameNumbers(const Small& small, run::BuiltConfig&& built, const ConfigReader& config) {
  const workloads::Trace trace = workloads::traceOf(std::move(built.workload), built.workload_kind,
                                                    built.system.machineName());
  const TemporaryFolder folder;
  const auto file = folder.write("t.ipt", workloads::traceText(trace, built.system.allTiles()));
  const Digests wanted = digestsOf(config, trace.below);
  const std::string lines = "kind = \"trace\"\nfile = \"" + file.string() + "\"\n";
  const Digests found =
      digestsOf(ConfigReader::fromText(textOn(small, lines), "run.toml"), trace.below);
  ASSERT_EQ(found.size(), wanted.size());
  ASSERT_FALSE(found.empty());
  for (std::size_t v = 0; v < found.size(); ++v) {
    EXPECT_EQ(found[v].variable, wanted[v].variable);
    EXPECT_EQ(found[v].digest, wanted[v].digest) << found[v].variable;
  }
}

class SameNumbers : public testing::TestWithParam<Small> {};

TEST_P(SameNumbers, HasTheBitsOfTheConfigWithEveryWord) {
  std::vector<std::optional<Choice>> choices = {std::nullopt};
  if (!kHasAddressSanitizer) {  // the words of all take a minute with it
    for (Choice& choice : choicesOf(GetParam())) choices.emplace_back(std::move(choice));
  }
  for (const auto& choice : choices) {
    SCOPED_TRACE(choice ? choice->first + " = " + choice->second : "as it is");
    auto built = programOf(GetParam(), choice);
    if (!built) continue;
    expectSameNumbers(GetParam(), *std::move(built), wordedConfig(GetParam(), choice));
  }
}

INSTANTIATE_TEST_SUITE_P(Workloads, SameNumbers, testing::ValuesIn(kSmall), [](const auto& test) {
  std::string name = std::to_string(test.index) + '_' + test.param.scope;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

/// `choice` within its scope.
std::string textOf(const Small& small, const Choice& choice) {
  const bool selects = kSelectors.count(choice.first) > 0;
  return (selects ? "" : small.scope + std::string(": ")) + choice.first + " = " + choice.second;
}

TEST(SmallWorkloads, FitEveryWordThatAConfigCanName) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "builds hundreds of programs";
  std::set<std::string> known;
  std::set<std::string> built;
  for (const Small& small : kSmall) {
    for (const Choice& choice : choicesOf(small)) {
      known.insert(textOf(small, choice));
      if (programOf(small, choice)) built.insert(textOf(small, choice));
    }
  }
  built.insert("workload.kind = trace");  // what this compares with
  // A trace is one program, and these are one per layer.
  built.insert("network: workload.compile = separate");
  built.insert("onnx: workload.compile = separate");
  built.insert("workload.kind = topology");
  // The shipped model has more than one result; the word's own network is above.
  built.insert("onnx: workload.train.loss = result");
  std::set<std::string> missing;
  std::set_difference(known.begin(), known.end(), built.begin(), built.end(),
                      std::inserter(missing, missing.end()));
  EXPECT_THAT(missing, testing::IsEmpty());
  EXPECT_EQ(built, known);
}

TEST(SmallWorkloads, LeaveOtherNumbersWithAnotherOperator) {
  const Small sum{"", "kind = 'elementwise'\nop = 'add'\nelements = 300"};
  const Digests added = digestsOf(wordedConfig(sum, {}), {});
  const Digests multiplied = digestsOf(wordedConfig(sum, Choice{"workload.op", "multiply"}), {});
  ASSERT_EQ(added.size(), multiplied.size());
  EXPECT_EQ(added.front().digest, multiplied.front().digest);
  EXPECT_NE(added.back().digest, multiplied.back().digest);
}

}  // namespace
}  // namespace ipusim
