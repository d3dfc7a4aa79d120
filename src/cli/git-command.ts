import { Command } from "commander";
import { readDriftSettings } from "./drift-settings.ts";

const HELP = `
Writes a diff driver into the repository's configuration (.git/config, yours
alone) and the files it is for into .gitattributes (for everybody who has run
this). From then on git diff shows what a server says differently; the text
shows with git diff --no-ext-diff, and in git log -p, where each hunk names the
message it is in.

Examples:
  mcp-vcr git install
  mcp-vcr git install 'test/recordings/*.yaml'

To undo it:
  git config --remove-section diff.mcp-vcr
  and take the lines with diff=mcp-vcr out of .gitattributes`;

/** Subcommands that set git up. */
export function gitCommand(): Command {
  const git = new Command("git")
    .summary("let git diff show cassettes as diff does")
    .description("Set git up.");
  const install = new Command("install")
    .summary("set up a diff driver for cassettes in this repository")
    .description("Let git diff show cassettes as mcp-vcr diff does.")
    .argument("[patterns...]", "files it is for (default: cassettes/**/*.yaml and cassettes/**/*.jsonl)")
    .addHelpText("after", HELP)
    .action(async (patterns: string[]) => {
      const { installInGit, USUAL_PATTERNS } = await import("../run/git-install.ts");
      const program = [process.execPath, process.argv[1] as string];
      const wanted = patterns.length > 0 ? patterns : USUAL_PATTERNS;
      const { attributes, lines, settings } = await installInGit(process.cwd(), wanted, program);
      const told = [
        ...settings.map(([name, value]) => `.git/config: ${name} = ${value}`),
        ...(lines.length > 0 ? lines : ["nothing new"]).map((line) => `${attributes}: ${line}`),
        "Undo: git config --remove-section diff.mcp-vcr, and take those lines out of .gitattributes.",
      ];
      process.stdout.write(`${told.join("\n")}\n`);
    });
  const driver = new Command("driver")
    .description("Called by git, with the arguments of an external diff.")
    .argument("<path>")
    .argument("<old-file>")
    .argument("<old-hex>")
    .argument("<old-mode>")
    .argument("<new-file>")
    .argument("<new-hex>")
    .argument("<new-mode>")
    .argument("[renamed...]")
    .action(async (path: string, oldFile: string, _a, oldMode: string, file: string, _b, mode: string) => {
      const { driveGitDiff } = await import("../run/git-driver.ts");
      const blobs = { old: { file: oldFile, mode: oldMode }, new: { file, mode } };
      await driveGitDiff(path, blobs, () => readDriftSettings(undefined));
    });
  return git.addCommand(install).addCommand(driver, { hidden: true });
}
