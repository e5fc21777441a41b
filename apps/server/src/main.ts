import { hastenImports } from './platform/hasten-imports.ts';
import { runProgram } from './platform/run-program.ts';

hastenImports();
const { serve } = await import('./compose/serve.ts');
await runProgram(serve);
