import { loadPlugIns } from '../../../src/plug-ins/plug-ins.ts';

/** Run where the optional packages are missing: prints what a provider has without them, and what a start says. */
const plugIns = await loadPlugIns({ face: 'if-installed', realName: 'if-installed' });
const refused = [
  loadPlugIns({ face: 'required', realName: 'off' }),
  loadPlugIns({ face: 'off', realName: 'required' }),
].map((loading) => loading.then(String, String));
const messages = await Promise.all(refused);
process.stdout.write(JSON.stringify({ ...plugIns, messages }));
