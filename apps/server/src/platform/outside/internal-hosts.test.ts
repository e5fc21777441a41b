import { describe, expect, test } from 'vitest';
import { internalHostsOf } from './internal-hosts.ts';

const none = internalHostsOf([]);

describe('addresses that alerts may be sent to', () => {
  test.each([
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
    ...['0.0.0.0', '255.255.255.255', '224.0.0.1', '192.0.2.1', '198.18.0.1'],
    ...['::1', '::', 'fe80::1', 'fc00::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
    ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', 'fe80::1%eth0', 'not an address', ''],
  ])('%s is internal', (address) => {
    expect(none.allows('hooks.example.com', address)).toBe(false);
  });

  test.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
    expect(none.allows('hooks.example.com', address)).toBe(true);
  });

  test('an operator allows hosts by name, by address, and by network', () => {
    const hosts = internalHostsOf(['Hooks.internal', '10.2.0.0/16', '192.168.1.7', 'fd00::/8']);
    expect(hosts.allows('hooks.INTERNAL', '10.9.9.9')).toBe(true);
    expect(hosts.allows('other.internal', '10.9.9.9')).toBe(false);
    expect(hosts.allows('other.internal', '10.2.3.4')).toBe(true);
    expect(hosts.allows('other.internal', '::ffff:10.2.3.4')).toBe(true);
    expect(hosts.allows('x', '192.168.1.7')).toBe(true);
    expect(hosts.allows('x', '192.168.1.8')).toBe(false);
    expect(hosts.allows('x', 'fd12::1')).toBe(true);
    expect(hosts.lists('10.2.3.4')).toBe(true);
    expect(hosts.lists('8.8.8.8')).toBe(false);
  });
});
