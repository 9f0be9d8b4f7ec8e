import { formatNumber } from "./sheets/xlsx-formats.mjs";
import { attribute, isOn, readAside, toNumber } from "./xml.mjs";

const MAX_SERIES = 255;
const MAX_POINTS = 10_000;

/**
 * Writes what a chart shows as a table: its title, those of its axes, and the values of each series by their categories, as they were
 * saved with it.
 * @returns {Promise<boolean>} whether there were any; not of a damaged one
 */
export async function readChart(zip, part, writer, isDone) {
  const chart = { title: "", axes: [], series: [], is1904: false };
  const isWhole = await readAside(zip.read(part), chartHandlers(chart), isDone);
  const series = chart.series.filter(({ val }) => val.size > 0);
  if (series.length === 0 || !isWhole) return false;
  const axes = chart.axes.map((text) => text.trim()).filter(Boolean);
  const title = [chart.title.trim(), axes.length > 0 && `(${axes.join(" / ")})`].filter(Boolean).join(" ");
  writer.paragraph(`[Chart] ${title}`);
  writeTable(writer, series);
  return true;
}

/** Categories are those of the first series that has some. */
function writeTable(writer, series) {
  const { cat: categories } = series.find(({ cat }) => cat.size > 0) ?? { cat: new Map() };
  const points = [...new Set(series.flatMap(({ val }) => [...val.keys()]))].sort((one, other) => one - other);
  writer.openTable();
  writeRow(writer, ["", ...series.map(({ name }) => name)]);
  for (const point of points) {
    writeRow(writer, [categories.get(point) ?? String(point + 1), ...series.map(({ val }) => val.get(point) ?? "")]);
  }
  writer.closeTable();
}

function writeRow(writer, texts) {
  writer.openRow();
  for (const text of texts) {
    writer.openCell();
    writer.paragraph(text);
    writer.closeCell();
  }
  writer.closeRow();
}

/** Where a value belongs; bubbles and points of two numbers have theirs by other names. */
const FIELDS = new Map([
  ["tx", "name"],
  ["cat", "cat"],
  ["xVal", "cat"],
  ["val", "val"],
  ["yVal", "val"],
]);

function chartHandlers(chart) {
  const state = { field: undefined, isAxis: false, isTitle: false, text: undefined, point: 0, code: "" };
  return {
    open(name, attributes) {
      const series = chart.series.at(-1);
      if (name === "date1904") chart.is1904 = isOn(attribute(attributes, "val"));
      else if (name === "ser" && chart.series.length < MAX_SERIES) {
        chart.series.push({ name: "", cat: new Map(), val: new Map() });
      } else if (name === "title") {
        state.isTitle = true;
        if (state.isAxis) chart.axes.push("");
      } else if (name === "plotArea") state.isAxis = true;
      else if (FIELDS.has(name) && series && !state.isTitle) {
        state.field = FIELDS.get(name);
        state.code = "";
      } else if (name === "pt") state.point = toNumber(attribute(attributes, "idx"), 0, MAX_POINTS);
      else if (name === "v" || name === "t" || name === "formatCode") state.text = "";
    },
    text(text) {
      if (state.text !== undefined) state.text += text;
    },
    close(name) {
      if (name === "title") state.isTitle = false;
      else if (name === "plotArea") state.isAxis = false;
      else if (FIELDS.has(name)) state.field = undefined;
      if (state.text === undefined || !TEXTS.has(name)) return;
      if (name === "formatCode") state.code = state.text;
      else keep(chart, state, name);
      state.text = undefined;
    },
  };
}

const TEXTS = new Set(["v", "t", "formatCode"]);

function keep(chart, { field, isAxis, isTitle, text, point, code }, name) {
  const series = chart.series.at(-1);
  if (isTitle && name === "t") {
    if (isAxis) chart.axes[chart.axes.length - 1] += text;
    else chart.title += text;
  } else if (name === "v" && field === "name") series.name += text;
  // Of categories in groups the first are those of the points.
  else if (name === "v" && field && point < MAX_POINTS && !series[field].has(point)) {
    series[field].set(point, formatNumber(text, code, chart.is1904));
  }
}
