interface CommandRules {
  text(text: string): string;
  credential(name: string, text: string): string;
  /** Whether a flag's or variable's name is a credential's. */
  ends(name: string): boolean;
}

const FLAG = /^--?([A-Za-z][\w-]*)$/;
const ASSIGNED = /^(--?[A-Za-z][\w-]*|[A-Za-z_]\w*)=(.*)$/s;

/** `--api-key X`, `--token=X`, `KEY=value`, and whatever credentials stand inside of arguments. */
export function redactCommand(args: readonly string[], rules: CommandRules): string[] {
  return args.map((arg, at) => {
    const flag = FLAG.exec(args[at - 1] ?? "")?.[1];
    if (flag !== undefined && rules.ends(flag) && !FLAG.test(arg)) return rules.credential(flag, arg);
    const [, name, value = ""] = ASSIGNED.exec(arg) ?? [];
    if (name !== undefined && rules.ends(name.replace(/^--?/, "")))
      return `${name}=${rules.credential(name, value)}`;
    return rules.text(arg);
  });
}
