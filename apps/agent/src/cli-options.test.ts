import { describe, expect, test } from 'vitest';
import { parseCliOptions, UsageError } from './cli-options.ts';
import { parseFleetOptions } from './fleet/fleet-options.ts';

describe('command line of the agent', () => {
  test.each([
    [[], 'missing command'],
    [['dance'], 'unknown command dance'],
    [['run', 'now'], 'unexpected argument now'],
    [['run', '--colour'], '--colour'],
    [['enroll', '--server', 'https://a.example'], 'enroll requires'],
    [['run', '--claim', 'x'], '--claim requires --server'],
    [['run', '--server', 'ftp://a', '--claim', 'x'], 'not an http'],
    [['run', '--server', 'nonsense', '--claim', 'x'], 'not an http'],
    [['run', '--serial', 'a b'], '--serial'],
    [['run', '--mqtt', 'http://a'], '--mqtt'],
    [['run', '--files', 'var/log'], '--files'],
    [['run', '--files', '/srv/../etc'], '--files'],
    [['run', '--files', '/srv/'], '--files'],
    [['run', '--web-pages', '0'], '--web-pages'],
    [['run', '--web-pages', '70000'], '--web-pages'],
    [['run', '--web-pages', '10.0.0.1:80'], '--web-pages'],
    [['run', '--web-pages', '80,80'], '--web-pages'],
    [['run', '--web-pages', '80=a\u202eb'], '--web-pages'],
    [['run', '--web-pages', '1,2,3,4,5,6,7,8,9'], '--web-pages'],
  ])('%j is refused with a line that says why', (args, message) => {
    expect(() => parseCliOptions(args)).toThrow(UsageError);
    expect(() => parseCliOptions(args)).toThrow(message);
  });

  test('options are read from the command line, then from the environment', () => {
    const environment = {
      DEVICEPORTAL_AGENT_SERVER: 'https://env.example',
      DEVICEPORTAL_AGENT_CLAIM: 'secret',
    };
    expect(
      parseCliOptions(
        ['run', '--server', 'https://line.example', '--serial', 'ab-12'],
        environment,
      ),
    ).toMatchObject({
      server: 'https://line.example/',
      claim: 'secret',
      serialNumber: 'AB-12',
    });
  });
});

test('folders are read-only unless they are marked, and none are allowed by default', () => {
  const filesOf = (...args: string[]) => parseCliOptions(['run', ...args]).files;
  expect(filesOf('--files', '/var/log,/srv/kiosk:rw')).toEqual({
    isOn: true,
    folders: [
      { path: '/var/log', isWritable: false },
      { path: '/srv/kiosk', isWritable: true },
    ],
  });
  expect(filesOf()).toEqual({ isOn: true, folders: [] });
  expect(filesOf('--files', 'off')).toEqual({ isOn: false, folders: [] });
});

test('no web page is allowed by default', () => {
  const pagesOf = (...args: string[]) => parseCliOptions(['run', ...args]).webPages;
  expect(pagesOf()).toEqual([]);
  expect(pagesOf('--web-pages', 'off')).toEqual([]);
  expect(pagesOf('--web-pages', '8080=Status page,9000')).toEqual([
    { port: 8080, title: 'Status page' },
    { port: 9000, title: '9000' },
  ]);
});

describe('command line of the fleet', () => {
  test.each([
    [['--size', '0', '--describe'], '--size 0'],
    [['--size', 'many', '--describe'], '--size many'],
    [['--size', '3'], '--server requires'],
    [['--size', '3', '--server', 'http://a'], '--state-dir'],
    [
      ['--size', '3', '--server', 'http://a', '--state-dir', '/tmp/x', '--mqtt', 'http://b'],
      '--mqtt',
    ],
  ])('%j is refused with a line that says why', (args, message) => {
    expect(() => parseFleetOptions(args)).toThrow(message);
  });
});
