// SPDX-License-Identifier: Apache-2.0
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "ipusim/error.h"
#include "ipusim/run_config.h"
#include "ipusim/version.h"

// The library as a module of Python: texts in, texts out. python/ipusim makes objects of them.

namespace py = pybind11;

namespace {

py::tuple run(const std::string& path, const std::vector<std::string>& overrides, bool systemc,
              bool with_page) {
  const auto engine = systemc ? ipusim::Engine::SystemC : ipusim::Engine::ClosedForm;
  const auto page = with_page ? ipusim::ReportPage::With : ipusim::ReportPage::Without;
  ipusim::ConfigRun answer;
  {
    // SystemC has one kernel per process, so its runs keep the lock of the interpreter.
    std::optional<py::gil_scoped_release> others_may_run;
    if (!systemc) others_may_run.emplace();
    answer = ipusim::runConfig(path, overrides, engine, page);
  }
  return py::make_tuple(answer.json, answer.page);
}

}  // namespace

PYBIND11_MODULE(_ipusim, module) {
  py::register_exception<ipusim::ConfigError>(module, "ConfigError", PyExc_ValueError);
  module.attr("version") = ipusim::libraryVersion();
  module.def("run", &run, py::arg("path"), py::arg("overrides"), py::arg("systemc"),
             py::arg("with_page"));
}
