import { installDependencies } from './install-dependencies.mjs';
import { addPackage, keepAddedPackages, optionalPackages } from './optional-packages.mjs';
import { root } from './paths.mjs';

/** `npm run add -- identity-face`: adds optional packages to this installation. */
const names = process.argv.slice(2);
if (names.length === 0) {
  process.stderr.write(`Set one or more packages: ${optionalPackages.join(', ')}.\n`);
  process.exitCode = 1;
} else {
  try {
    await installDependencies(root, { toRun: true });
    await keepAddedPackages();
    for (const name of names) {
      await addPackage(name);
      process.stdout.write(`${name} is installed. Restart the server to use it.\n`);
    }
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
