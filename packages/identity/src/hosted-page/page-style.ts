/** The style of the hosted pages: light and dark as the browser prefers, contrasts of WCAG AA, no fonts of others. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --back: #f2f3f5; --card: #fff; --ink: #16191f; --soft: #545b64; --line: #8d99a8; --accent: #0552b5; --on-accent: #fff; --bad: #b3140c; }
@media (prefers-color-scheme: dark) { :root { --back: #10151d; --card: #1b232e; --ink: #eceff3; --soft: #b3bcc7; --line: #7d8998; --accent: #7cb5ff; --on-accent: #0a1626; --bad: #ff9a92; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--back); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: min(26rem, 100vw - 2rem); margin: 1rem 0; padding: 2rem; background: var(--card); border-radius: 1rem; }
header { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 1rem 0 0; font-size: 1.125rem; }
p { margin: .5rem 0 1rem; color: var(--soft); overflow-wrap: anywhere; }
form { display: grid; gap: .75rem; margin: 1rem 0; }
label { display: grid; gap: .25rem; font-weight: 600; }
input:not([type=hidden]) { font: inherit; padding: .6rem .75rem; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .5rem; width: 100%; }
input.code { letter-spacing: .4em; font-variant-numeric: tabular-nums; }
button, a.button { font: inherit; font-weight: 600; text-align: center; padding: .6rem 1rem; border: 1px solid var(--accent); border-radius: .5rem; background: var(--accent); color: var(--on-accent); cursor: pointer; text-decoration: none; }
button.second, a.button { background: transparent; color: var(--accent); }
button[disabled] { opacity: .6; cursor: default; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.bad { color: var(--bad); font-weight: 600; }
dl { margin: .5rem 0 1rem; overflow-wrap: anywhere; }
dt { color: var(--soft); }
dd { margin: 0 0 .5rem; }
ul { margin: .5rem 0 1rem; padding-left: 1.25rem; }
nav { display: grid; gap: .5rem; }
img.qr { display: block; margin: 1rem auto; max-width: 100%; height: auto; border-radius: .5rem; }
nav img { height: 1.25em; vertical-align: middle; margin-inline-end: .5em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .875rem; }
`;
