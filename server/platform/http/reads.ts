// Which requests only read: whoever sends one may send it again (RFC 9110, 9.2.2).

export const isRead = ({ method }: { readonly method: string }): boolean => method === 'GET' || method === 'HEAD';
