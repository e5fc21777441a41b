import { createHash } from 'node:crypto';

/** The page is self-contained: no files of the portal. Colors are those of the portal in both themes and on paper. */
export const sharedStyle = `
:root{color-scheme:light dark;--page:#fff;--panel:#fff;--bar:#0f141a;--text:#16191f;--line:#c6c6cd;--muted:#5f6b7a;--action:#006ce0;--action-text:#fff;--error:#b3001b;--warning:#8a5a00;--success:#0b6e2e;--online:#1f8b4c;--degraded:#d99a00;--offline:#c33d69;--gap:#e6e6ea;--gap-line:#9a9aa4;--land:#dfe3e8}
@media (prefers-color-scheme:dark){:root{--page:#0f141a;--panel:#161d26;--bar:#0f141a;--text:#dedee3;--line:#424650;--muted:#b4b4bb;--action:#42b4ff;--action-text:#0f141a;--error:#ff7a7a;--warning:#ffc75c;--success:#5fd38a;--online:#3fb56f;--offline:#e0678c;--gap:#232b37;--gap-line:#656b78;--land:#333b47}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 'Open Sans','PingFang SC','Microsoft YaHei','Noto Sans CJK SC','Noto Sans SC',system-ui,sans-serif}
header{background:var(--bar);color:#fff;border-bottom:1px solid var(--line)}
.bar{max-width:1040px;margin:auto;padding:10px 16px;display:flex;justify-content:space-between;align-items:center;gap:16px}
.brand{display:inline-flex;align-items:center;gap:10px;font-weight:700;font-size:16px}.icon{width:28px;height:28px}
.button{background:var(--action);color:var(--action-text);font-weight:700;text-decoration:none;padding:6px 18px;border-radius:20px;border:2px solid var(--action);white-space:nowrap}
.button:hover{filter:brightness(1.12)}.button:focus-visible,.wide:focus-visible{outline:2px solid var(--action);outline-offset:3px}
main{max-width:1040px;margin:auto;padding:24px 16px 64px}
h1{font-size:24px;line-height:1.25;margin:0 0 8px}h2{font-size:18px;line-height:1.3;margin:0 0 12px}
.about p{margin:2px 0;color:var(--muted)}
section{background:var(--panel);border:1px solid var(--line);border-radius:16px;padding:16px 20px;margin-top:20px}
p{margin:4px 0}.muted,figcaption{color:var(--muted)}.hidden{color:var(--muted);font-style:italic}
:lang(zh) .hidden{font-style:normal}
ul{list-style:none;margin:0;padding:0}.list{display:grid;gap:8px}
.found{display:grid;grid-template-columns:104px 1fr;gap:4px 12px}
.tone{display:inline-flex;align-items:center;gap:6px;font-weight:700;align-self:start}
.tone svg{width:16px;height:16px;flex:none;fill:none;stroke:currentcolor;stroke-width:1.6}
.tone.error{color:var(--error)}.tone.warning{color:var(--warning)}.tone.success{color:var(--success)}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));gap:12px 20px;margin:0}
dt{color:var(--muted);font-size:13px}dd{margin:0;overflow-wrap:anywhere}
.wide{overflow-x:auto;margin-top:8px}table{border-collapse:collapse;width:100%;font-size:14px}
th,td{padding:7px 14px 7px 0;border-bottom:1px solid var(--line);text-align:start;vertical-align:top;overflow-wrap:break-word;min-width:72px}
th{white-space:nowrap;color:var(--muted)}tbody tr:last-child td{border-bottom:0}
time{font-variant-numeric:tabular-nums;white-space:nowrap}
figure{margin:12px 0}pre{white-space:pre-wrap;overflow-wrap:anywhere;border-inline-start:3px solid var(--line);padding:8px 12px;margin:4px 0;font:13px/1.5 Menlo,Consolas,'DejaVu Sans Mono',monospace}
.strips{display:grid;gap:10px}
.strips li{display:grid;grid-template-columns:minmax(90px,150px) minmax(100px,1fr) minmax(160px,300px);gap:4px 14px;align-items:center;font-size:14px}
.strips svg{width:100%;height:16px}.span{color:var(--muted);font-size:13px}
.strips .span{grid-template-columns:minmax(90px,150px) minmax(50px,.5fr) minmax(50px,.5fr) minmax(160px,300px)}.strips .span span:nth-child(3){text-align:end}
.legend{display:flex;flex-wrap:wrap;gap:4px 20px;margin-bottom:10px;font-size:14px}.legend svg{width:12px;height:12px;margin-inline-end:6px}
.defs{position:absolute;width:0;height:0}
.online{fill:var(--online)}.degraded{fill:var(--degraded)}.offline{fill:var(--offline)}.unknown{fill:url(#gap)}
.gap-back{fill:var(--gap)}.gap-line{fill:var(--gap-line)}
.map svg{max-width:640px;width:100%;border:1px solid var(--line);border-radius:8px}
.land{fill:var(--land)}.dot{fill:var(--online);stroke:#fff;stroke-width:1.5}.reach{fill:var(--online);fill-opacity:.15}
@media (max-width:640px){.strips li,.found{grid-template-columns:1fr}.strips .span{grid-template-columns:1fr 1fr}.span span:first-child{display:none}section{padding:12px 14px}}
@media print{
@page{margin:16mm 14mm}
:root{color-scheme:light;--page:#fff;--panel:#fff;--text:#000;--muted:#444;--line:#999;--error:#8f0016;--warning:#6b4600;--success:#08551f;--online:#1f8b4c;--degraded:#d99a00;--offline:#8c1d2f;--gap:#fff;--gap-line:#888;--land:#ddd}
body{font-size:10.5pt}header{background:none;color:#000;border-bottom:1pt solid #000}.button{display:none}
.bar,main{max-width:none;padding-inline:0}section{border:0;border-radius:0;padding:0;margin-top:14pt}
h2{break-after:avoid}tr,figure,.found,.strips li{break-inside:avoid}thead{display:table-header-group}
table{font-size:9pt}.wide{overflow:visible}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;

/** Content security policy source that permits only this style. */
export const sharedStyleSource = `'sha256-${createHash('sha256').update(sharedStyle).digest('base64')}'`;
