// The controller as text, with what is wrong with it.

import { highlighted, escape } from './toml.js';

/** Time after the last key stroke until the text is checked, ms. */
const PAUSE = 120;

export class Editor {
  /**
   * @param element with the parts .gutter, .paint, textarea, .found and .status
   * @param check what is wrong with a text
   * @param apply has a text without mistakes take over; returns what is wrong with it after all
   */
  constructor(element, check, apply) {
    Object.assign(this, { check, apply, findings: [], inForce: '' });
    for (const name of ['gutter', 'paint', 'found', 'status']) this[name] = element.querySelector(`.${name}`);
    this.area = element.querySelector('textarea');
    this.area.addEventListener('input', () => {
      this.draw();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.examine(true), PAUSE);
    });
    this.area.addEventListener('scroll', () => this.scroll());
    this.area.addEventListener('keydown', (event) => this.tab(event));
    this.found.addEventListener('click', (event) => this.jump(event.target.closest('[data-line]')));
  }

  get text() {
    return this.area.value;
  }

  get hasErrors() {
    return this.findings.some((finding) => finding.severity === 'error');
  }

  /** Shows a text that is in force already. */
  show(text, file) {
    this.file = file;
    this.inForce = text;
    this.area.value = text;
    this.area.disabled = !file;
    this.area.placeholder = file ? '' : 'Nobody acts in this scene: there is no controller.';
    this.area.scrollTop = 0;
    this.examine(false);
  }

  /** The text that is in force changed by itself: in a replay, or by going back. */
  follow(text) {
    const isUnchanged = this.text === this.inForce;
    this.inForce = text;
    if (isUnchanged && this.text !== text) this.show(text, this.file);
    else this.say();
  }

  /** Checks the text, and has it take over where it may. */
  examine(mayApply) {
    const started = performance.now();
    this.findings = this.file ? this.check(this.text) : [];
    if (mayApply && !this.hasErrors && this.text !== this.inForce) {
      const more = this.apply(this.text);
      if (more.length) this.findings = [...more, ...this.findings];
      else this.inForce = this.text;
    }
    this.took = performance.now() - started;
    this.draw();
    this.say();
  }

  /** Has the text take over at the present moment. */
  again() {
    this.inForce = '';
    this.examine(true);
  }

  tab(event) {
    if (event.key === 'Escape') this.area.blur();
    if (event.key !== 'Tab' || event.shiftKey) return;
    event.preventDefault();
    this.area.setRangeText('  ', this.area.selectionStart, this.area.selectionEnd, 'end');
    this.area.dispatchEvent(new Event('input'));
  }

  draw() {
    const lines = this.text.split('\n');
    const worst = new Map();
    for (const { file, line, severity } of this.findings) {
      if (line && this.isHere(file) && worst.get(line) !== 'error') worst.set(line, severity);
    }
    this.gutter.innerHTML = lines
      .map((_, index) => `<span class="${worst.get(index + 1) ?? ''}">${index + 1}</span>`).join('');
    // A line at the end has a height only if there is something in it.
    this.paint.innerHTML = `${highlighted(this.text)}\n${this.marks(lines)}`;
    this.scroll();
  }

  /** Whether a finding is in this text, and not in a file that it includes. */
  isHere(file) {
    return file.split('/').at(-1) === this.file;
  }

  /** Wavy lines under what is wrong, each on a line of its own over the text. */
  marks(lines) {
    const here = this.findings.filter(({ file, line }) => line && this.isHere(file));
    const mark = ({ line, column, end_line: endLine, end_column: endColumn, severity }) => {
      const end = endLine === line ? endColumn : (lines[line - 1]?.length ?? 0) + 1;
      const width = Math.max(1, end - column);
      const place = `top:calc(${line - 1} * var(--row));left:${column - 1}ch;width:${width}ch`;
      return `<i class="${severity}" style="${place}"></i>`;
    };
    return here.map(mark).join('');
  }

  scroll() {
    const { scrollTop, scrollLeft } = this.area;
    this.gutter.style.transform = `translateY(${-scrollTop}px)`;
    this.paint.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
  }

  say() {
    const item = ({ severity, message, file, line, column, help, rule }) => {
      const place = line ? `${this.isHere(file) ? '' : `${escape(file)}:`}${line}:${column}` : '';
      const rest = [help, rule && `rule ${rule}`].filter(Boolean).map((text) => `<small>${escape(text)}</small>`);
      const target = line && this.isHere(file) ? ` data-line="${line}" data-column="${column}"` : '';
      return `<li class="${severity}"${target}><b>${place}</b> ${escape(message)}${rest.join('')}</li>`;
    };
    this.found.innerHTML = this.findings.map(item).join('');
    const errors = this.findings.filter((finding) => finding.severity === 'error').length;
    const warnings = this.findings.length - errors;
    const count = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`;
    const parts = [errors && count(errors, 'error'), warnings && count(warnings, 'warning')].filter(Boolean);
    const place = this.text === this.inForce ? 'in force' : 'not in force here';
    const state = errors ? 'the controller before goes on' : place;
    this.status.textContent = this.file ? `${this.file}: ${parts.join(', ') || 'ok'}, ${state}` : '';
    this.status.dataset.state = errors ? 'error' : this.text === this.inForce ? 'ok' : 'other';
  }

  /** Goes to a line. */
  find(line) {
    this.jump({ dataset: { line, column: 1 } });
  }

  jump(item) {
    if (!item) return;
    const { line, column } = item.dataset;
    const before = this.text.split('\n').slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    const offset = before + Number(column) - 1;
    this.area.focus();
    this.area.setSelectionRange(offset, offset);
    this.area.scrollTop = Math.max(0, (line - 6) * parseFloat(getComputedStyle(this.area).lineHeight));
  }
}
