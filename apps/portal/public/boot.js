// Runs before the first paint, so that nobody sees the wrong theme, density or language flash by.
// A file of its own because the content security policy allows no inline script.
(function () {
  var stored = {};
  try {
    stored = JSON.parse(localStorage.getItem('deviceportal.appearance') || '{}') || {};
  } catch {
    // Storage may be blocked; the defaults then hold.
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
