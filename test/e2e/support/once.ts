/**
 * Makes something for the first test that asks for it, and hands the same to all others: a recording that tests only read
 * need not be made by each. What fails for one fails for all.
 */
export function onceFor<K, V>(make: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const made = new Map<K, Promise<V>>();
  return (key) => {
    const known = made.get(key);
    if (known) return known;
    const making = make(key);
    made.set(key, making);
    return making;
  };
}
