// Which network an address belongs to, wherever one caller must count as one.
import { isIPv6 } from 'node:net';

/** A household or an office has a whole /64 of IPv6 addresses, so it counts as one. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(Math.max(0, gap)).fill('0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
    .toLowerCase();
}

/** The /48 of an IPv6 network: one customer of a provider may have all its 65,536 networks. An IPv4 address is its own. */
export function sitePrefixOf(network: string): string {
  return network.split(':').slice(0, 3).join(':');
}
