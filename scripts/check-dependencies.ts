import { fileURLToPath } from 'node:url';
import { findViolations } from './dependencies/find-violations.ts';
import { readImports } from './dependencies/read-imports.ts';
import { rules } from './dependencies/rules.ts';

const imports = readImports(fileURLToPath(new URL('..', import.meta.url)));
const violations = findViolations(imports, rules);
for (const violation of violations) process.stdout.write(`${violation}\n`);
process.stdout.write(`${imports.length} imports, ${violations.length} against the rules.\n`);
process.exitCode = violations.length === 0 ? 0 : 1;
