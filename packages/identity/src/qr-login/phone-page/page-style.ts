import { createHash } from 'node:crypto';

/** Light and dark as the phone is set; contrasts of WCAG AA in both. */
export const pageStyle = `:root{color-scheme:light dark;--text:#0f141a;--soft:#424650;--back:#fff;--card:#f6f6f9;--line:#8c8c94;--main:#006ce0;--on-main:#fff;--warn:#8d6605;--bad:#db0000}
@media (prefers-color-scheme:dark){:root{--text:#ebebf0;--soft:#c6c6cd;--back:#0f141a;--card:#161d26;--line:#8c8c94;--main:#42b4ff;--on-main:#0f141a;--warn:#ffe347;--bad:#ff7a7a}}
*{box-sizing:border-box}
body{margin:0;font:1rem/1.5 system-ui,"Noto Sans","Noto Sans SC",sans-serif;color:var(--text);background:var(--back)}
main{max-width:28rem;margin:0 auto;padding:1.5rem 1rem}
h1{font-size:1.375rem;line-height:1.3;margin:0 0 1rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:1rem;margin:0 0 1rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
p{margin:0 0 1rem}.warn{border-inline-start:.25rem solid var(--warn);padding-inline-start:.75rem}.bad{color:var(--bad)}
label{display:block;font-weight:600;margin:0 0 .25rem}
input{width:100%;font:inherit;color:inherit;background:var(--back);border:1px solid var(--line);border-radius:.5rem;padding:.625rem .75rem;margin:0 0 1rem}
button{width:100%;min-height:3rem;font:inherit;font-weight:600;border-radius:1.5rem;border:2px solid var(--main);background:var(--back);color:var(--main);margin:0 0 .75rem;cursor:pointer}
button.main{background:var(--main);color:var(--on-main)}
:focus-visible{outline:3px solid var(--main);outline-offset:2px}`;

const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/** Nothing but this style: no script, no frame around it, forms to this server only. */
export const pageHeaders = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  // The form's Origin header distinguishes our page from others and must be sent.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
} as const;
