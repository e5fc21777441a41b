import { createHash } from 'node:crypto';

/** The page is self-contained: no scripts and no files of the portal. */
export const sharedStyle = `
:root{color-scheme:light dark;--line:#c6c6cd;--muted:#5f6b7a}
@media (prefers-color-scheme:dark){:root{--line:#424650;--muted:#b4b4bb}}
body{margin:0;font:15px/1.5 system-ui,'Noto Sans SC','PingFang SC','Microsoft YaHei',sans-serif}
main{max-width:960px;margin:auto;padding:24px 16px 64px}
h1{font-size:24px;margin:0 0 8px}h2{font-size:18px;margin:32px 0 8px}
p{margin:4px 0}.muted,figcaption{color:var(--muted)}
ul{list-style:none;margin:0;padding:0;display:grid;gap:6px}
.tone{display:inline-block;min-width:72px;font-weight:700}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(180px,1fr));gap:12px;margin:0}
dt{color:var(--muted);font-size:13px}dd{margin:0;overflow-wrap:anywhere}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{padding:6px 12px 6px 0;border-bottom:1px solid var(--line);text-align:start;vertical-align:top;overflow-wrap:break-word;min-width:64px}
th{white-space:nowrap}
figure{margin:12px 0}pre{white-space:pre-wrap;overflow-wrap:anywhere;border-inline-start:3px solid var(--line);padding:8px 12px;margin:4px 0;font-size:13px}
.strip{display:grid;grid-template-columns:minmax(80px,150px) minmax(100px,1fr) minmax(100px,190px);gap:12px;align-items:center}
.strip svg{width:100%;height:14px}.map svg{max-width:640px;width:100%;border:1px solid var(--line)}
.legend{display:flex;flex-wrap:wrap;gap:4px 20px;margin-bottom:8px}.legend svg{width:12px;height:12px;margin-inline-end:6px}
.online{fill:#1f8b4c}.degraded{fill:#d99a00}.offline{fill:#c33d69}.unknown{fill:#8c8c94}
.land{fill:var(--line)}.dot{fill:#1f8b4c;stroke:#fff;stroke-width:1.5}
a{color:inherit}@media print{a{display:none}tr,figure{break-inside:avoid}}
`;

/** Content security policy source that permits only this style. */
export const sharedStyleSource = `'sha256-${createHash('sha256').update(sharedStyle).digest('base64')}'`;
