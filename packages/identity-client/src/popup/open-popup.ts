/** Size of a sign-in window. */
export interface PopupSize {
  readonly w: number;
  readonly h: number;
}

const POPUP_SIZE: PopupSize = { w: 585, h: 649 };
const CLOSED = ['toolbar', 'menubar', 'scrollbars', 'resizable', 'location', 'status'];

/** Opens a window centered on the page's window. Returns null if the browser blocks it. */
export function openPopup(url: string, size: PopupSize = POPUP_SIZE): Window | null {
  return window.open(url, '_blank', popupFeatures(size));
}

/** Window features that center a window of this size, independent of zoom and screen. */
function popupFeatures({ w, h }: PopupSize): string {
  const { clientWidth, clientHeight } = document.documentElement;
  const width = window.innerWidth || clientWidth;
  const height = window.innerHeight || clientHeight;
  const zoom = width / screen.availWidth;
  const features = [
    ...CLOSED.map((name) => `${name}=no`),
    `width=${w / zoom}`,
    `height=${h / zoom}`,
    `top=${(height - h) / 2 / zoom + window.screenTop}`,
    `left=${(width - w) / 2 / zoom + window.screenLeft}`,
  ];
  return features.join(', ');
}

/**
 * Whether this is an in-app browser without windows, where the page itself goes to the provider.
 */
export function isInsideMessenger(names: RegExp = /MicroMessenger|Lark/): boolean {
  return names.test(navigator.userAgent);
}
