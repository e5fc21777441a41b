import type { QrCode } from './qr-code-calls.ts';
import { addQrCodeStyle } from './qr-code-style.ts';

export interface BoxSize {
  readonly width: number;
  readonly height: number;
}

const CODE_SIZE: BoxSize = { width: 240, height: 240 };
const CONTAINER_SIZE: BoxSize = { width: 300, height: 300 };
const LINK_STYLE =
  'color: rgb(255, 255, 255); border-bottom: 1px solid rgb(255, 255, 255); cursor: pointer;';

/** View of a QR code sign-in. Texts are never interpreted as HTML. */
export interface QrCodeView {
  showSpinner(): void;
  /** Resolves when the picture is loaded. */
  showCode(code: QrCode, title: string): Promise<void>;
  showScanned(texts: {
    readonly title: string;
    readonly succeed: string;
    readonly nickname: string | undefined;
    readonly again: string;
    readonly onAgain: () => void;
  }): void;
  showSuccess(text: string): void;
  showExpired(text: string, onRetry: () => void): void;
  showFailure(message: string, retry: string, onRetry: () => void): void;
}

/** Creates the view inside an element of the page, or in a new centered box. */
export function createQrCodeView(
  domId: string,
  size: BoxSize = CODE_SIZE,
  containerSize: BoxSize = CONTAINER_SIZE,
): QrCodeView {
  addQrCodeStyle();
  const mount = findMount(domId, containerSize);
  let wrapper = make('div');
  let tip = make('span');
  const begin = (): void => {
    wrapper = make('div', { id: 'authing__qrcode-wrapper' });
    wrapper.style.cssText = 'text-align: center; position: relative; margin: auto;';
    tip = make('span', {
      id: 'authing__qrcode-tip-text',
      className: 'authing__heading-subtitle __authing__heading-subtitle-style',
    });
    mount.replaceChildren(wrapper);
  };
  const cover = (id: string, text: string, act?: () => void): void => {
    const overlay = overlayOf('__authing-shadow-style', size);
    const link = make('a', { id }, text);
    link.style.cssText = LINK_STYLE;
    if (act) makeClickable(link, act);
    overlay.append(link);
    wrapper.append(overlay);
  };
  const clearOverlay = (): void => {
    for (const found of wrapper.querySelectorAll(
      '#authing__retry, #authing_scan_success_refer_text',
    )) {
      found.remove();
    }
  };
  return {
    showSpinner: () =>
      mount.replaceChildren(make('div', { id: 'authing__spinner', className: 'spinner' })),
    showCode: async (code, title) => {
      const image = await loadImage(code.url, size);
      begin();
      tip.textContent = title;
      wrapper.append(image, ...logoOf(code, size), tip);
    },
    showScanned: ({ title, succeed, nickname, again, onAgain }) => {
      tip.textContent = title;
      const refer = make(
        'p',
        {
          id: 'authing_scan_success_refer_text',
          className: '__authing-shadow-inner-refer-text-style-position',
        },
        again,
      );
      makeClickable(refer, onAgain);
      wrapper.append(refer, scannedOverlay(size, succeed, nickname));
    },
    showSuccess: (text) => {
      clearOverlay();
      tip.textContent = '';
      cover('__authing_success_tip', text);
    },
    showExpired: (text, onRetry) => {
      clearOverlay();
      cover('__authing_retry_btn', text, onRetry);
    },
    showFailure: (message, retry, onRetry) => {
      begin();
      const space = make('div');
      space.style.cssText = `width: ${size.width}px; height: ${size.height}px; margin: auto;`;
      wrapper.append(space);
      cover('__authing_retry_btn', retry, onRetry);
      tip.textContent = message;
      wrapper.append(tip);
    },
  };
}

function findMount(domId: string, containerSize: BoxSize): HTMLElement {
  const found = document.getElementById(domId);
  if (found) {
    if (!found.classList.contains('__authing-qrcode-node-mount')) found.style.position = 'relative';
    return found;
  }
  const mount = make('div', { id: domId, className: '__authing-qrcode-node-mount' });
  mount.style.width = `${containerSize.width}px`;
  mount.style.height = `${containerSize.height}px`;
  document.body.append(mount);
  return mount;
}

function scannedOverlay(size: BoxSize, succeed: string, nickname?: string): HTMLElement {
  const overlay = overlayOf('__authing-shadow-style-position', size);
  const inner = make('div', { className: '__authing-shadow-inner-style-position' });
  const mark = {
    id: 'authing_scan_success_image',
    className: '__authing-shadow-inner-image-style-position',
  };
  const text = {
    id: 'authing_scan_success_text',
    className: '__authing-shadow-inner-text-style-position',
  };
  inner.append(make('div', mark), make('p', text, succeed));
  if (nickname) inner.append(make('p', { className: '__authing-scanned-nickname' }, nickname));
  overlay.append(inner);
  return overlay;
}

function overlayOf(className: string, { width, height }: BoxSize): HTMLElement {
  const overlay = make('div', { id: 'authing__retry', className });
  overlay.style.width = `${width}px`;
  overlay.style.height = `${height}px`;
  return overlay;
}

function logoOf({ customLogo }: QrCode, { width, height }: BoxSize): HTMLElement[] {
  if (!customLogo) return [];
  const logo = make('img', { className: '__authing-qrcode-logo', src: customLogo, alt: '' });
  logo.width = width / 2.4;
  logo.style.top = `${height / 2}px`;
  return [logo];
}

function loadImage(url: string, { width, height }: BoxSize): Promise<HTMLImageElement> {
  const image = make('img', { alt: 'QR', width, height });
  return new Promise((resolve, reject) => {
    image.addEventListener('load', () => resolve(image));
    image.addEventListener('error', () => reject(new Error('The picture of the code is missing')));
    image.src = url;
  });
}

/** Makes an element operable by pointer and keyboard. */
function makeClickable(element: HTMLElement, act: () => void): void {
  element.role = 'button';
  element.tabIndex = 0;
  element.addEventListener('click', act);
  element.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') act();
  });
}

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  text?: string,
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  if (text !== undefined) element.textContent = text;
  return element;
}
