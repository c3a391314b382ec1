// The module with the engine: requests in, JSON and numbers out.

/** What the engine did not do, with the findings that say why. */
export class Refusal extends Error {
  constructor(findings) {
    super(findings.map((finding) => finding.message).join('\n'));
    this.findings = findings;
  }
}

/** The instance is lost: the engine panicked. A new one has to be made. */
export class Lost extends Error {}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An instance of a compiled module. */
export class Engine {
  constructor(module) {
    this.exports = new WebAssembly.Instance(module, {}).exports;
    this.exports.aplomb_start();
  }

  /** Calls a function of the module; a trap is an error with what the panic said. */
  call(name, ...values) {
    try {
      return this.exports[name](...values);
    } catch (trap) {
      // Out of memory or of stack, there is no message of a panic.
      throw new Lost(`The engine failed: ${this.text()?.panic ?? trap.message}`);
    }
  }

  /** The last text of the module. */
  text() {
    const { memory, aplomb_text, aplomb_text_length } = this.exports;
    const bytes = new Uint8Array(memory.buffer, aplomb_text(), aplomb_text_length());
    return bytes.length ? JSON.parse(decoder.decode(bytes)) : null;
  }

  /** The last numbers of the module, in its own memory: to be copied before the next call. */
  numbers() {
    const { memory, aplomb_numbers, aplomb_numbers_length } = this.exports;
    return new Float64Array(memory.buffer, aplomb_numbers(), aplomb_numbers_length());
  }

  /** Carries out a request: the name of one without values, or `{name: values}`. */
  ask(request) {
    const bytes = encoder.encode(JSON.stringify(request));
    const address = this.call('aplomb_alloc', bytes.length);
    new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes);
    const status = this.call('aplomb_ask', address, bytes.length);
    this.call('aplomb_free', address, bytes.length);
    if (status) throw new Refusal(this.text());
    return this.text();
  }

  /** Computes frames. */
  step(frames = 1) {
    if (this.call('aplomb_step', frames)) throw new Refusal(this.text());
  }

  /** The numbers of the present frame, copied. */
  look() {
    if (this.call('aplomb_look')) throw new Refusal(this.text());
    return this.numbers().slice();
  }
}
