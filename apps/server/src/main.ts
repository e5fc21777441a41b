import { hastenImports } from './platform/hasten-imports.ts';
import { runProgram } from './platform/run-program.ts';

hastenImports();
const { serve } = await import('./serve.ts');
await runProgram(serve);
