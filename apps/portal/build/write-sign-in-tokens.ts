import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * The Cloudscape design tokens of the sign-in page, which does not load the whole theme (30 kB
 * gzip).
 */
export const signInTokens = [
  'color-background-layout-main',
  'color-background-container-content',
  'color-background-input-default',
  'color-background-input-disabled',
  'color-background-button-primary-default',
  'color-background-button-primary-hover',
  'color-background-button-primary-disabled',
  'color-background-status-error',
  'color-background-status-info',
  'color-border-container-top',
  'color-border-divider-default',
  'color-border-input-default',
  'color-border-input-focused',
  'color-border-item-focused',
  'color-border-status-error',
  'color-border-status-info',
  'color-text-body-default',
  'color-text-body-secondary',
  'color-text-heading-default',
  'color-text-input-disabled',
  'color-text-button-primary-default',
  'color-text-button-primary-disabled',
  'color-text-form-default',
  'color-text-link-default',
  'color-text-link-hover',
  'color-text-status-error',
  'border-radius-container',
  'border-radius-input',
  'border-radius-button',
  'font-family-base',
  'space-scaled-xs',
  'space-scaled-s',
  'space-scaled-m',
  'space-scaled-l',
  'space-scaled-xl',
] as const;

type TokenValue =
  | string
  | { light: string; dark: string }
  | { comfortable: string; compact: string };

/**
 * Writes the tokens as `--dp-…` custom properties for both themes and densities. Returns the path
 * of the file.
 */
export async function writeSignInTokens(cacheDirectory: string): Promise<string> {
  const source = require.resolve('@cloudscape-design/design-tokens/index-visual-refresh.json');
  const { tokens } = JSON.parse(await readFile(source, 'utf8')) as {
    tokens: Record<string, { $value: TokenValue }>;
  };
  const base: string[] = [];
  const dark: string[] = [];
  const compact: string[] = [];
  for (const name of signInTokens) {
    const value = tokens[name]?.$value;
    if (value === undefined) throw new Error(`Cloudscape has no design token ${name}.`);
    if (typeof value === 'string') base.push(declare(name, value));
    else if ('light' in value) {
      base.push(declare(name, value.light));
      dark.push(declare(name, value.dark));
    } else {
      base.push(declare(name, value.comfortable));
      compact.push(declare(name, value.compact));
    }
  }
  await mkdir(cacheDirectory, { recursive: true });
  const target = join(cacheDirectory, 'sign-in-tokens.css');
  await writeFile(
    target,
    `body{${base.join('')}}\nbody.awsui-dark-mode{${dark.join('')}}\nbody.awsui-compact-mode{${compact.join('')}}\n`,
  );
  return target;
}

const declare = (name: string, value: string): string => `--dp-${name}:${value};`;
