import { hastenImports } from './platform/process/hasten-imports.ts';
import { runProgram } from './platform/process/run-program.ts';

hastenImports();
const { serve } = await import('./compose/serve.ts');
await runProgram(serve);
