// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/codelets.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "poplar/codelets/module.h"

namespace ipusim::codelets {

namespace {

bool isSame(const VertexType& a, const VertexType& b) {
  return a.file == b.file && a.line == b.line && a.bytes == b.bytes && a.symbol == b.symbol;
}

void addVertex(const VertexType& vertex, std::vector<VertexType>& vertices) {
  const auto found = std::find_if(vertices.begin(), vertices.end(),
                                  [&](const VertexType& each) { return each.name == vertex.name; });
  if (found == vertices.end()) {
    vertices.push_back(vertex);
  } else if (!isSame(*found, vertex)) {
    throw ConfigError(fmt::format("{}:{}: vertex {} is already defined at {}:{}", vertex.file,
                                  vertex.line, vertex.name, found->file, found->line));
  }
}

}  // namespace

Codelets::Codelets() : module_(std::make_shared<const detail::Module>()) {}

Codelets::Codelets(std::shared_ptr<const detail::Module> module) : module_(std::move(module)) {}

const std::vector<VertexType>& Codelets::vertices() const {
  return module_->vertices;
}

const std::vector<CodeBlock>& Codelets::blocks() const {
  return module_->blocks;
}

const VertexType* Codelets::find(std::string_view name) const {
  const auto& all = vertices();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const VertexType& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Codelets join(const std::vector<Codelets>& parts) {
  auto module = std::make_shared<detail::Module>();
  for (const Codelets& part : parts) {
    for (const VertexType& vertex : part.vertices()) addVertex(vertex, module->vertices);
    const detail::Module& from = part.module();
    module->blocks.insert(module->blocks.end(), from.blocks.begin(), from.blocks.end());
    module->objects.insert(module->objects.end(), from.objects.begin(), from.objects.end());
  }
  return Codelets(std::move(module));
}

}  // namespace ipusim::codelets
