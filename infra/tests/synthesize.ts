import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { createPortal } from '../src/create-portal.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, never>>;
}

export interface Template {
  readonly name: string;
  readonly text: string;
  readonly resources: readonly (readonly [string, Resource])[];
}

export interface Synthesized {
  readonly templates: readonly Template[];
  /** Findings of cdk-nag and of the CDK's own check of the templates. */
  readonly findings: readonly string[];
}

const root = join(import.meta.dirname, '../..');
const { context: featureFlags } = JSON.parse(
  readFileSync(join(root, 'infra/cdk.json'), 'utf8'),
) as { readonly context: Readonly<Record<string, unknown>> };

/** Settings that have no default. */
export const given = {
  host: 'portal.example.com',
  certificate: 'arn:aws:acm:eu-central-1:111122223333:certificate/given',
  release: '1.0.0',
  mailFrom: 'portal@example.com',
  alarms: 'ops@example.com',
  smtpSecret: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:smtp-AbCdEf',
};

/** The functions of the user pool, as `npm run build:triggers` writes them. */
export function buildTriggers(): void {
  execFileSync(process.execPath, [join(root, 'scripts/build-sign-in-triggers.ts')], { cwd: root });
}

const inChina = (arn: string): string =>
  arn.replace('arn:aws:', 'arn:aws-cn:').replace('eu-central-1', 'cn-north-1');

/** The same for a region of China. */
export const givenInChina = {
  ...given,
  certificate: inChina(given.certificate),
  smtpSecret: inChina(given.smtpSecret),
};

export function synthesize(region: string, context: Readonly<Record<string, string>>): Synthesized {
  const outdir = mkdtempSync(join(tmpdir(), 'dp-infra-'));
  const exitCode = process.exitCode;
  try {
    const app = new App({ outdir, context: { ...featureFlags, ...context } });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    createPortal(app, region);
    const { stacks } = app.synth({ errorOnDuplicateSynth: false });
    const report = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')) as {
      readonly pluginReports: readonly {
        readonly pluginName: string;
        readonly violations: readonly {
          readonly ruleName: string;
          readonly violatingConstructs: readonly { readonly constructPath?: string }[];
        }[];
      }[];
    };
    return {
      templates: stacks.map(({ stackName, templateFullPath }) => {
        const text = readFileSync(templateFullPath, 'utf8');
        const { Resources } = JSON.parse(text) as { Resources: Record<string, Resource> };
        return { name: stackName, text, resources: Object.entries(Resources) };
      }),
      findings: report.pluginReports.flatMap(({ pluginName, violations }) =>
        violations.map(
          ({ ruleName, violatingConstructs }) =>
            `${pluginName} ${ruleName}: ${violatingConstructs.map((one) => one.constructPath).join()}`,
        ),
      ),
    };
  } finally {
    process.exitCode = exitCode;
    rmSync(outdir, { recursive: true });
  }
}
