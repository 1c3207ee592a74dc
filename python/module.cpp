// SPDX-License-Identifier: Apache-2.0
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "ipusim/error.h"
#include "ipusim/run_config.h"
#include "ipusim/version.h"

// The library as a module of Python: texts in, texts out. python/ipusim makes objects of them.

namespace py = pybind11;

namespace {

py::tuple run(const std::string& path, const std::vector<std::string>& overrides,
              ipusim::Engine engine, ipusim::ReportPage page) {
  ipusim::ConfigRun answer;
  {
    // SystemC has one kernel per process, so its runs keep the lock of the interpreter.
    std::optional<py::gil_scoped_release> others_may_run;
    if (engine == ipusim::Engine::ClosedForm) others_may_run.emplace();
    answer = ipusim::runConfig(path, overrides, engine, page);
  }
  return py::make_tuple(answer.json, answer.page);
}

}  // namespace

PYBIND11_MODULE(_ipusim, module) {
  py::register_exception<ipusim::ConfigError>(module, "ConfigError", PyExc_ValueError);
  module.attr("version") = ipusim::libraryVersion();
  module.attr("commit") = ipusim::libraryCommit();
  py::enum_<ipusim::Engine>(module, "Engine")
      .value("closed_form", ipusim::Engine::ClosedForm)
      .value("systemc", ipusim::Engine::SystemC);
  py::enum_<ipusim::ReportPage>(module, "ReportPage")
      .value("without_page", ipusim::ReportPage::Without)
      .value("with_page", ipusim::ReportPage::With);
  module.def("run", &run, py::arg("path"), py::arg("overrides"), py::arg("engine"),
             py::arg("page"));
}
