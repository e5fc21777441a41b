import { useChunkState } from './chunks/chunk-state.ts';
import { loadNewRelease } from './chunks/is-release-replaced.ts';
import { languageOf } from './i18n/languages.ts';
import { setLanguage } from './i18n/language-store.ts';
import { loadConfig } from './session/load-config.ts';
import { applyAppearance, followSystem, storedAppearance } from './ui/appearance.ts';
import { currentPreferences, startPreferences } from './ui/preferences-store.ts';

const RETRY_MS = 2_000;

const loadPortal = () => import('./app/start-portal.tsx');
const loadDevices = () =>
  Promise.all([
    import('./devices/devices-page.tsx'),
    import('./devices/list/first-device-page.ts'),
  ]);
const loadSignIn = () => import('./sign-in/start-sign-in.tsx');

/**
 * Whether storage contains tokens. Only an optimization, because the portal requests the session
 * itself.
 */
function looksSignedIn(): boolean {
  try {
    const keys = [...Object.keys(localStorage), document.cookie];
    return keys.some((key) =>
      /CognitoIdentityServiceProvider\..+\.LastAuthUser|_authing_token/.test(key),
    );
  } catch {
    return false;
  }
}

async function start(): Promise<void> {
  const element = document.getElementById('root');
  if (element === null) return;
  startPreferences();
  applyAppearance(currentPreferences());
  followSystem(currentPreferences);
  const toPortal = looksSignedIn() && location.pathname !== '/signin';
  const page = toPortal ? loadPortal() : loadSignIn();
  // Errors of the early load are handled at the await below.
  page.catch(() => undefined);
  // Otherwise, the router loads the page only after the portal.
  if (toPortal && location.pathname === '/devices') loadDevices().catch(() => undefined);
  const scope = toPortal ? 'portal' : 'session';
  const known = storedAppearance().language ?? languageOf(navigator.language);
  const settings = loadConfig();
  settings.catch(() => undefined);
  await setLanguage(known ?? (await settings).defaultLanguage, scope);
  const config = await settings;
  if (toPortal) {
    await (await loadPortal()).startPortal(config, element);
    return;
  }
  if (location.pathname !== '/signin') {
    const here = location.pathname + location.search + location.hash;
    history.replaceState(
      null,
      '',
      here === '/' ? '/signin' : `/signin?next=${encodeURIComponent(here)}`,
    );
  }
  await (await loadSignIn()).startSignIn({ config, element, loadPortal });
}

/** Until a screen is shown, the page itself reports a server that cannot be reached. */
const stopReporting = useChunkState.subscribe(({ isSlow, isReplaced }) => {
  if (isReplaced) void loadNewRelease();
  else if (isSlow) reportUnreachable();
});

function reportUnreachable(): void {
  const element = document.getElementById('root');
  if (element === null || element.childElementCount > 0) return;
  element.textContent =
    'The portal is starting or can’t be reached. Reconnecting automatically. · 门户正在启动或无法连接，正在自动重试。';
  element.setAttribute('role', 'alert');
}

start().then(stopReporting, (error: unknown) => {
  console.error(error);
  reportUnreachable();
  setTimeout(() => location.reload(), RETRY_MS);
});
