// Plots of the last seconds: costs stacked on each other, and the contact forces of each body.

import { colours, SERIES } from './colours.js';

/** Time that a plot shows, s. */
const SPAN = 5;
/** Costs that are told apart; the others are one. */
const MOST = 8;

/** A canvas with an axis of time. */
class Plot {
  constructor(element) {
    this.canvas = element.querySelector('canvas');
    this.legend = element.querySelector('.legend');
    this.pen = this.canvas.getContext('2d');
  }

  begin(top, unit, from, to) {
    const { canvas, pen } = this;
    const ratio = Math.min(window.devicePixelRatio, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      [canvas.width, canvas.height] = [width * ratio, height * ratio].map(Math.round);
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const area = { left: 44, right: width - 12, top: 8, bottom: height - 18 };
    this.x = (time) => area.left + ((time - from) / (to - from)) * (area.right - area.left);
    this.y = (value) => area.bottom - (value / top) * (area.bottom - area.top);
    const { grid, weak } = colours();
    Object.assign(pen, { strokeStyle: grid, fillStyle: weak, lineWidth: 1, font: '11px system-ui, sans-serif' });
    for (const share of [0, 0.5, 1]) {
      const y = Math.round(this.y(share * top)) + 0.5;
      this.line([[area.left, y], [area.right, y]]);
      pen.textAlign = 'right';
      pen.fillText(Number((share * top).toPrecision(2)), area.left - 5, y + 4);
    }
    pen.textAlign = 'center';
    for (let time = Math.ceil(from); time <= to; time += 1) pen.fillText(`${time} s`, this.x(time), height - 4);
    pen.textAlign = 'left';
    pen.fillText(unit, area.left + 4, area.top + 8);
    this.area = area;
  }

  line(points) {
    this.pen.beginPath();
    this.trace(points);
    this.pen.stroke();
  }

  trace(points) {
    points.forEach(([x, y], index) => (index ? this.pen.lineTo(x, y) : this.pen.moveTo(x, y)));
  }

  fill(upper, lower, colour) {
    this.pen.fillStyle = colour;
    this.pen.beginPath();
    this.trace([...upper, ...lower.toReversed()]);
    this.pen.fill();
  }

  cursor(time) {
    this.pen.strokeStyle = colours().ink;
    this.pen.globalAlpha = 0.5;
    this.line([[this.x(time), this.area.top], [this.x(time), this.area.bottom]]);
    this.pen.globalAlpha = 1;
  }

  label(entries) {
    const html = entries.map(([name, colour, value]) =>
      `<span><i style="background:${colour}"></i>${name}<b>${value}</b></span>`).join('');
    if (html !== this.shown) this.legend.innerHTML = html;
    this.shown = html;
  }
}

/** Frames of the span around the present moment, thinned to what a plot can show. */
function around(history) {
  const per = Math.round(SPAN / history.dt);
  const last = Math.min(history.end, Math.max(history.at + Math.round(0.2 * per), history.first + per));
  const from = Math.max(history.first, last - per);
  const step = Math.max(1, Math.round((last - from) / 320));
  const frames = [];
  for (let index = from + 1; index <= last; index += step) frames.push(history.frames[index - history.first]);
  return { frames, from: from * history.dt, to: (from + per) * history.dt };
}

const round = (most) => {
  const unit = 10 ** Math.floor(Math.log10(Math.max(most, 1e-9)));
  return unit * [1, 2, 5, 10].find((factor) => factor * unit >= most);
};
/** A value in a legend, short. */
function number(value) {
  if (value >= 100) return value.toFixed(0);
  return value > 0 && value < 1e-3 ? value.toExponential(0) : Number(value.toPrecision(2)).toString();
}

export class Plots {
  constructor(costs, forces) {
    this.costs = new Plot(costs);
    this.forces = new Plot(forces);
  }

  show(history, controller) {
    const span = around(history);
    if (!span.frames.length) return;
    const objectives = controller?.objectives ?? [];
    this.showCosts(span, history, objectives);
    this.showForces(span, history);
  }

  showCosts({ frames, from, to }, history, names) {
    const means = names.map((_, cost) => frames.reduce((sum, frame) => sum + (frame.costs[cost] ?? 0), 0));
    const order = means.map((_, index) => index).filter((index) => means[index] > 0)
      .sort((a, b) => means[b] - means[a]);
    // By name, so that a colour stays with its cost while others come and go.
    const own = order.slice(0, MOST).sort((a, b) => a - b);
    const rest = order.slice(MOST);
    const rows = own.map((index) => [names[index], (frame) => frame.costs[index] ?? 0, SERIES[index % SERIES.length]]);
    if (rest.length) {
      const others = (frame) => rest.reduce((sum, index) => sum + (frame.costs[index] ?? 0), 0);
      rows.push([rest.length > 1 ? `${rest.length} others` : names[rest[0]], others, colours().weak]);
    }
    const total = (frame) => rows.reduce((sum, [, value]) => sum + value(frame), 0);
    const plot = this.costs;
    plot.begin(round(Math.max(...frames.map(total)) || 1), 'cost', from, to);
    let lower = frames.map((frame) => [plot.x(frame.time), plot.y(0)]);
    const height = frames.map(() => 0);
    for (const [, value, colour] of rows) {
      const upper = frames.map((frame, index) => [plot.x(frame.time), plot.y((height[index] += value(frame)))]);
      plot.fill(upper, lower, colour);
      lower = upper;
    }
    plot.cursor(history.frame.time);
    plot.label(rows.map(([name, value, colour]) => [name, colour, number(value(history.frame))]));
  }

  showForces({ frames, from, to }, history) {
    const { bodies } = history.description.header;
    const sums = (frame) => {
      const all = new Map();
      for (const { body, force } of frame.contacts) all.set(body, (all.get(body) ?? 0) + Math.hypot(...force));
      return all;
    };
    const each = frames.map(sums);
    const present = [...new Set(each.flatMap((all) => [...all.keys()]))].sort((a, b) => a - b);
    const most = Math.max(1, ...each.flatMap((all) => [...all.values()]));
    const plot = this.forces;
    plot.begin(round(most), 'N', from, to);
    const colour = (index) => SERIES[index % SERIES.length];
    plot.pen.lineWidth = 1.6;
    present.forEach((body, index) => {
      plot.pen.strokeStyle = colour(index);
      plot.line(frames.map((frame, place) => [plot.x(frame.time), plot.y(each[place].get(body) ?? 0)]));
    });
    plot.cursor(history.frame.time);
    const now = sums(history.frame);
    const force = (body) => `${number(now.get(body) ?? 0)} N`;
    plot.label(present.map((body, index) => [bodies[body] ?? 'others', colour(index), force(body)]));
  }
}
