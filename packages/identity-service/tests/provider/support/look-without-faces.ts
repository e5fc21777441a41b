import { createFaceFinder } from '../../../src/provider/face/face-finder.ts';
import { isFaceComparisonInstalled } from '../../../src/provider/face/is-face-comparison-installed.ts';
import { ProviderError } from '../../../src/provider/wire/provider-error.ts';

/** Run where the optional packages are missing: prints what whoever sends a photo is refused with. */
await using finder = createFaceFinder(() => undefined);
const refusal = await finder.describe(new Uint8Array(8)).catch((error: unknown) => error);
const code = refusal instanceof ProviderError ? refusal.refusal.code : String(refusal);
process.stdout.write(JSON.stringify({ code, isInstalled: isFaceComparisonInstalled() }));
