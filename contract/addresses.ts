// Method and path of every endpoint, without the schemas, so that a first page need not load those.

export const addresses = {
  'session.login': 'POST /api/auth/login',
  'session.second-factor': 'POST /api/auth/second-factor',
  'session.second-factor-passkey': 'POST /api/auth/second-factor/passkey',
  'session.logout': 'POST /api/auth/logout',
  'session.me': 'GET /api/auth/me',
  'session.password': 'POST /api/auth/password',
  'session.devices': 'GET /api/auth/sessions',
  'session.end-others': 'DELETE /api/auth/sessions',
  'session.end': 'DELETE /api/auth/sessions/{id}',
  'session.reauth': 'POST /api/auth/reauth',
  'session.reauth-passkey': 'POST /api/auth/reauth/passkey',
  'session.events': 'GET /api/auth/events',
  'factors.list': 'GET /api/auth/factors',
  'factors.new-totp': 'POST /api/auth/factors/totp',
  'factors.confirm-totp': 'POST /api/auth/factors/totp/confirm',
  'factors.remove-totp': 'DELETE /api/auth/factors/totp',
  'factors.passkey-options': 'POST /api/auth/factors/passkeys/options',
  'factors.add-passkey': 'POST /api/auth/factors/passkeys',
  'factors.remove-passkey': 'DELETE /api/auth/factors/passkeys/{id}',
  'factors.recovery-codes': 'POST /api/auth/factors/recovery-codes',
  'users.list': 'GET /api/users',
  'users.create': 'POST /api/users',
  'users.update': 'PUT /api/users/{id}',
  'users.delete': 'DELETE /api/users/{id}',
  'users.client-access': 'GET /api/users/{id}/client-access',
  'users.report-access': 'GET /api/users/{id}/report-access',
  'users.reset-second-factor': 'DELETE /api/users/{id}/second-factor',
  'roles.list': 'GET /api/roles',
  'roles.create': 'POST /api/roles',
  'roles.update': 'PUT /api/roles/{id}',
  'roles.delete': 'DELETE /api/roles/{id}',
  'permissions.list': 'GET /api/permissions',
  'permissions.update': 'PUT /api/permissions',
  'permissions.user': 'GET /api/permissions/users/{id}',
  'permissions.client': 'GET /api/permissions/clients/{id}',
  'clients.list': 'GET /api/clients',
  'clients.get': 'GET /api/clients/{id}',
  'clients.create': 'POST /api/clients',
  'clients.update': 'PUT /api/clients/{id}',
  'clients.removal': 'GET /api/clients/{id}/removal',
  'clients.delete': 'DELETE /api/clients/{id}',
  'report-types.list': 'GET /api/report-types',
  'report-types.create': 'POST /api/report-types',
  'report-types.delete': 'DELETE /api/report-types/{id}',
  'files.list': 'GET /api/files',
  'files.export': 'GET /api/files/export',
  'files.archive': 'POST /api/files/archive',
  'files.facts': 'GET /api/files/{id}/facts',
  'files.upload': 'POST /api/files',
  'files.open': 'GET /api/files/{id}',
  'files.download': 'GET /api/files/{id}/download',
  'files.view': 'GET /api/files/{id}/view',
  'files.view-ticket': 'POST /api/files/{id}/view-ticket',
  'files.refile': 'PUT /api/files/{id}',
  'files.delete': 'DELETE /api/files/{id}',
  'activity.list': 'GET /api/activity-logs',
  'activity.export': 'GET /api/activity-logs/export',
  'activity.announce': 'POST /api/activity-logs',
  'overview.get': 'GET /api/overview',
  'jobs.list': 'GET /api/jobs',
  'jobs.retry': 'POST /api/jobs/{id}/retry',
  'jobs.cancel': 'POST /api/jobs/{id}/cancel',
  'docs.openapi': 'GET /api/openapi.json',
  'docs.page': 'GET /api/docs',
} as const satisfies Record<string, `${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`>;

export type EndpointName = keyof typeof addresses;

type Split<Address extends string> = Address extends `${infer Method} ${infer Path}`
  ? { readonly method: Method; readonly path: Path }
  : never;

/** Method and path of endpoint `name`. */
export function addressOf<Name extends EndpointName>(name: Name): Split<(typeof addresses)[Name]> {
  const [method, path] = addresses[name].split(' ');
  return { method, path } as Split<(typeof addresses)[Name]>;
}
