"use strict";
// Numbers for people, in the manner of the command line: three significant figures and a unit.

function significant(value, unit) {
  return (value >= 100 ? value.toFixed(0) : value.toPrecision(3)) + " " + unit;
}

function bytesText(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes;
  for (const unit of ["kB", "MB", "GB"]) {
    value /= 1000;
    if (value < 999.5) return significant(value, unit);
  }
  return significant(value / 1000, "TB");
}

function secondsText(seconds) {
  if (seconds === 0) return "0 s";
  for (const [size, unit] of [[1, "s"], [1e-3, "ms"], [1e-6, "us"]]) {
    if (seconds >= 0.9995 * size) return significant(seconds / size, unit);
  }
  return significant(seconds / 1e-9, "ns");
}

function countText(count) {
  return Math.round(count).toLocaleString("en-US");
}

/// Such as "1 exchange" or "2 exchanges".
function countOf(count, one, many = `${one}s`) {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

function percentText(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function rateText(gflops) {
  if (gflops === null || gflops === undefined) return "-";
  return gflops >= 1000 ? significant(gflops / 1000, "TFLOP/s") : significant(gflops, "GFLOP/s");
}

function cyclesText(cycles) {
  return `${countText(cycles)} cycles`;
}

/// A key as words: "message_buffers" is "message buffers".
function words(key) {
  return key.replace(/_/g, " ");
}
