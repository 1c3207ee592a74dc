// SPDX-License-Identifier: Apache-2.0
// Includes every header that programs may include, and uses the templates among them.
#include <popfloat/experimental/CastToHalf.hpp>
#include <poplar/CSRFunctions.hpp>
#include <poplar/CycleCount.hpp>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/PrintTensor.hpp>
#include <poplar/RandomSeed.hpp>
#include <poplar/RuntimeOptions.hpp>
#include <poplar/TypeConversion.hpp>
#include <poplin/ConvParams.hpp>
#include <poplin/Convolution.hpp>
#include <poplin/MatMul.hpp>
#include <poplin/codelets.hpp>
#include <popnn/codelets.hpp>
#include <popops/AllTrue.hpp>
#include <popops/Cast.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <popops/ElementWiseUtil.hpp>
#include <popops/Encoding.hpp>
#include <popops/Expr.hpp>
#include <popops/ExprOp.hpp>
#include <popops/Fill.hpp>
#include <popops/Gather.hpp>
#include <popops/HostSliceTensor.hpp>
#include <popops/Loop.hpp>
#include <popops/NaN.hpp>
#include <popops/Pad.hpp>
#include <popops/Reduce.hpp>
#include <popops/ScaledAdd.hpp>
#include <popops/Sort.hpp>
#include <popops/SortOrder.hpp>
#include <popops/TopK.hpp>
#include <popops/Zero.hpp>
#include <popops/codelets.hpp>
#include <poprand/RandomGen.hpp>
#include <poprand/codelets.hpp>
#include <poputil/Broadcast.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/VarStructure.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

using namespace poplar;
using namespace poplar::program;
using namespace std;

void useGraph(Graph& graph, unsigned rows) {
  const Tensor table = graph.addVariable(FLOAT, {rows, 3}, "table");
  const vector<float> values(3);
  const Tensor constant = graph.addConstant<float>(FLOAT, {3}, values);
  graph.addConstant<float>(FLOAT, {2}, {1.0, 2.0});
  graph.addConstant(UNSIGNED_INT, {}, 7U);
  const ComputeSet compute_set = graph.addComputeSet("sum");
  const VertexRef vertex =
      graph.addVertex(compute_set, poputil::templateVertex("Sum", FLOAT, true, 3),
                      {{"in", table[0]}, {"count", 3}});
  graph.connect(vertex["out"], {table[1][0], table[2][0]});
  graph.setInitialValue(vertex["scale"], 1.5F);
  graph.setInitialValue<float>(vertex["list"], {1.0F, 2.0F});
  graph.setTileMapping(vertex, 1);
  graph.setTileMapping(table, graph.getTileMapping(constant));
  concat({table, table.slice({0, 0}, {1, 3})}).dimShuffle({1, 0}).flatten(0, 2);
}

void useEngine(Graph& graph, const Tensor& tensor, const Device& device) {
  const DataStream in =
      graph.addHostToDeviceFIFO("in", FLOAT, 4, ReplicatedStreamMode::REPLICATE, {});
  map<string, Program> programs;
  programs["loop"] = Repeat(3, Sequence{Copy(in, tensor), PrintTensor("t", tensor)});
  Switch choice(tensor, {{0, programs["loop"]}, {1, Sequence()}});
  Sequence all{If(tensor, choice, Sequence()), RepeatWhileTrue(choice, tensor, choice)};
  cycleCount(graph, all, 0, "timer");
  OptionFlags options{{"debug.instrument", "true"}};
  options.set({{"target.saveArchive", "a"}});
  Engine engine(graph, {all, programs["loop"]}, options);
  engine.connectStreamToCallback("in", [](void* to) { memset(to, 0, 4); });
  engine.load(device);
  engine.run(0, "first");
  engine.printProfileSummary(cout, {{"showExecutionSteps", "true"}});
}

void useDevices() {
  for (Device& device : DeviceManager::createDeviceManager().getDevices(TargetType::IPU, 1)) {
    if (device.attach()) cout << device.getTarget().getNumTiles();
  }
  cout << equivalent_device_type<float>().value << IPUModel("ipu1").tilesPerIPU;
}
