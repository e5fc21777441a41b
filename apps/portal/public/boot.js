// Applies theme, density, and language before the first paint, to prevent a flash of the defaults.
// A separate file, because the content security policy allows no inline scripts.
(function () {
  var stored = {};
  try {
    stored = JSON.parse(localStorage.getItem('deviceportal.appearance') || '{}') || {};
  } catch {
    // Storage may be blocked. The defaults are then used.
  }
  var dark =
    stored.theme === 'dark' ||
    (stored.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.body.classList.toggle('awsui-dark-mode', dark);
  document.body.classList.toggle('awsui-compact-mode', stored.density === 'compact');
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
  var language = stored.language || (/^zh\b/i.test(navigator.language) ? 'zh-CN' : '');
  if (language) document.documentElement.lang = language;
})();
