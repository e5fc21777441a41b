/**
 * The content security policy forbids style elements and style attributes, which xterm.js creates. Its
 * style elements are replaced by others whose text becomes a style sheet of the document, and style
 * attributes are set by the object model: both are permitted.
 */
export class AdoptedStyles implements Disposable {
  readonly #sheets = new Map<Node, CSSStyleSheet>();
  readonly #observer = new MutationObserver((records) => {
    for (const { target } of records) this.#adopt(target);
  });

  constructor() {
    attributes.hold();
  }

  /** Style elements that are created during this work are replaced. */
  during(work: () => void): void {
    const create = document.createElement.bind(document) as (
      tag: string,
      options?: ElementCreationOptions,
    ) => HTMLElement;
    const own = document as unknown as { createElement?: typeof create };
    own.createElement = (tag, options) =>
      tag.toLowerCase() === 'style' ? this.#holder(create('div')) : create(tag, options);
    try {
      work();
    } finally {
      // The method of the prototype is back.
      delete own.createElement;
    }
  }

  [Symbol.dispose](): void {
    attributes.release();
    this.#observer.disconnect();
    const own = new Set(this.#sheets.values());
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !own.has(sheet));
  }

  #holder(element: HTMLElement): HTMLElement {
    element.hidden = true;
    this.#observer.observe(element, { childList: true, characterData: true, subtree: true });
    return element;
  }

  #adopt(target: Node): void {
    const holder = target.nodeType === Node.TEXT_NODE ? target.parentNode : target;
    if (holder === null) return;
    let sheet = this.#sheets.get(holder);
    if (sheet === undefined) {
      sheet = new CSSStyleSheet();
      this.#sheets.set(holder, sheet);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    }
    sheet.replaceSync(holder.textContent ?? '');
  }
}

/** `setAttribute('style', …)` of all elements while a screen exists. */
class StyleAttributes {
  #holders = 0;

  hold(): void {
    this.#holders += 1;
    if (this.#holders > 1) return;
    const { setAttribute } = Element.prototype;
    HTMLElement.prototype.setAttribute = function set(this: HTMLElement, name, value) {
      if (name === 'style') this.style.cssText = value;
      else setAttribute.call(this, name, value);
    };
  }

  release(): void {
    this.#holders -= 1;
    // The method of Element is back.
    if (this.#holders === 0)
      delete (HTMLElement.prototype as { setAttribute?: unknown }).setAttribute;
  }
}

const attributes = new StyleAttributes();
