import { describe, expect, test } from 'vitest';
import { launchdPropertyList, systemdUnit } from './service.ts';

const service = {
  nodePath: '/usr/bin/node',
  programPath: '/var/lib/agent dir/agent.mjs',
  stateDirectory: '/var/lib/100%/$HOME&<x>',
  serialNumber: 'AB-1234',
};

describe('service descriptions', () => {
  test('the systemd unit quotes paths and keeps commands alive over a restart', () => {
    const unit = systemdUnit(service, 'multi-user.target');
    expect(unit).toContain(
      'ExecStart="/usr/bin/node" "/var/lib/agent dir/agent.mjs" "run" "--service" "--state-dir" "/var/lib/100%%/$$HOME&<x>" "--serial" "AB-1234"',
    );
    expect(unit).toContain('KillMode=process');
    expect(unit).toContain('Restart=always');
  });

  test('a service keeps the allowed folders', () => {
    const folders = [
      { path: '/var/log', isWritable: false },
      { path: '/srv/kiosk', isWritable: true },
    ];
    const unit = systemdUnit({ ...service, files: { isOn: true, folders } }, 'multi-user.target');
    expect(unit).toContain('"--files" "/var/log,/srv/kiosk:rw"');
    const off = systemdUnit({ ...service, files: { isOn: false, folders: [] } }, 'default.target');
    expect(off).toContain('"--files" "off"');
  });

  test('a service keeps the allowed web pages', () => {
    const webPages = [
      { port: 8080, title: 'Status page' },
      { port: 9000, title: '9000' },
    ];
    const unit = systemdUnit({ ...service, webPages }, 'default.target');
    expect(unit).toContain('"--web-pages" "8080=Status page,9000"');
  });

  test('the launchd list escapes XML and keeps commands alive over a restart', () => {
    const list = launchdPropertyList(service);
    expect(list).toContain('<string>/var/lib/100%/$HOME&amp;&lt;x&gt;</string>');
    expect(list).toContain('<key>AbandonProcessGroup</key><true/>');
  });
});
