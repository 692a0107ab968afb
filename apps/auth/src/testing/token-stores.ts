/** Nothing is stored for devices and one-time tokens: no device is known, and each token can be used once. */
export function createTokenStores() {
  const spent = new Set<string>();
  return {
    findDeviceSecret: async () => null,
    spendToken: async (hash: string) => !spent.has(hash) && spent.add(hash).has(hash),
  };
}
