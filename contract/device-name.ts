// What a person calls a device, derived from its User-Agent.

const browsers: readonly (readonly [sign: RegExp, name: string])[] = [
  // Most browsers also claim to be Chrome or Safari, so the particular ones come first.
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

function firstMatch(signs: typeof browsers, userAgent: string): string | undefined {
  return signs.find(([sign]) => sign.test(userAgent))?.[1];
}

/** 'Chrome on Windows'; the program's own name where it is no known browser; 'Unknown device' without any. */
export function deviceName(userAgent: string): string {
  const browser = firstMatch(browsers, userAgent);
  const system = firstMatch(systems, userAgent);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? (userAgent.trim().split(/[\s/]/, 1)[0] || 'Unknown device');
}

export function isHandheld(userAgent: string): boolean {
  return /\b(iPhone|iPad|Android|Mobile)\b/.test(userAgent);
}
