const STYLE_ID = '__authing-qrcode-style';

/** Styles of the QR code box. Applications override these class names. */
const CSS = `
.__authing-qrcode-node-mount { position: fixed; z-index: 65535; inset: 0; margin: auto; display: flex;
  align-items: center; justify-content: center; background: #fff; border: 1px solid #ccc; }
.__authing__heading-subtitle-style { display: block; margin-top: 12px; color: #434a56; font: 14px/1.5 sans-serif; }
.__authing-shadow-style, .__authing-shadow-style-position { position: absolute; inset: 0 0 auto; margin: auto;
  display: flex; flex-direction: column; align-items: center; justify-content: center; background: rgb(0 0 0 / 70%);
  color: #fff; font: 14px/1.5 sans-serif; }
.__authing-shadow-style-position { background: rgb(255 255 255 / 92%); color: #21242c; }
.__authing-shadow-inner-style-position { text-align: center; }
.__authing-shadow-inner-image-style-position { width: 40px; height: 40px; margin: auto; border-radius: 50%;
  background: #1b7f3b; position: relative; }
.__authing-shadow-inner-image-style-position::after { content: ''; position: absolute; left: 15px; top: 8px;
  width: 8px; height: 16px; border: solid #fff; border-width: 0 3px 3px 0; transform: rotate(45deg); }
.__authing-shadow-inner-text-style-position, .__authing-scanned-nickname { margin: 8px 0 0; }
.__authing-scanned-nickname { font-weight: 600; overflow-wrap: anywhere; }
.__authing-shadow-inner-refer-text-style-position { margin: 4px 0 0; color: #215ae5; cursor: pointer;
  font: 14px/1.5 sans-serif; }
.__authing-qrcode-logo { position: absolute; border-radius: 50%; left: 50%; transform: translate(-50%, -50%); }
.spinner { position: relative; width: 40px; height: 40px; margin: auto; border: 4px solid #d7dbe3;
  border-top-color: #215ae5; border-radius: 50%; animation: authing-turn 1s linear infinite; }
@keyframes authing-turn { to { transform: rotate(360deg); } }
@media (prefers-reduced-motion: reduce) { .spinner { animation-duration: 6s; } }
`;

/** Adds the styles to the page once. */
export function addQrCodeStyle(): void {
  if (document.getElementById(STYLE_ID)) return;
  const style = document.createElement('style');
  style.id = STYLE_ID;
  style.textContent = CSS;
  document.head.append(style);
}
