import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/** npm severities that block a release. */
const STOPPING = ['high', 'critical'];
/** Exit code if the registry provides no vulnerability data. */
const NOT_CHECKED = 3;

/** Output of `npm audit --json`: a report, or the registry's error. */
interface AuditAnswer {
  readonly auditReportVersion?: number;
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
  readonly metadata?: { readonly dependencies: { readonly total: number } };
}

interface Vulnerability {
  readonly name: string;
  readonly severity: string;
  readonly range: string;
  readonly via: readonly (string | { readonly url: string })[];
}

/**
 * Evaluates `npm audit --json`. Code 0: no severe vulnerability; 1: at least one; 3: not checked.
 */
export function readAudit(output: string): { code: number; lines: readonly string[] } {
  const {
    auditReportVersion,
    message = 'no report',
    vulnerabilities = {},
    metadata,
  } = parse(output);
  if (auditReportVersion === undefined || metadata === undefined) {
    return {
      code: NOT_CHECKED,
      lines: [`Packages were not checked for known vulnerabilities: ${message}`],
    };
  }
  const found = Object.values(vulnerabilities);
  const lines = found.map(({ name, severity, range, via }) => {
    const links = via.flatMap((each) => (typeof each === 'string' ? [] : [each.url]));
    return [`${severity}: ${name} ${range}`, ...links].join(' ');
  });
  const summary = `${found.length} packages with known vulnerabilities, of ${metadata.dependencies.total}.`;
  const stops = found.some(({ severity }) => STOPPING.includes(severity));
  return { code: stops ? 1 : 0, lines: [...lines, summary] };
}

function parse(output: string): AuditAnswer {
  try {
    return JSON.parse(output) as AuditAnswer;
  } catch {
    return {};
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const args = ['audit', '--json', '--omit=dev', '--loglevel=silent'];
  execFile('npm', args, { maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => {
    const { code, lines } = readAudit(stdout);
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exitCode = code;
  });
}
