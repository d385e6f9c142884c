import { Button as AriaButton, type ButtonProps } from "react-aria-components/Button";

type Kind = "plain" | "primary" | "quiet" | "danger";

export function Button({
  kind = "plain",
  className = "",
  ...props
}: Omit<ButtonProps, "className"> & { kind?: Kind; className?: string }) {
  return <AriaButton className={`button ${kind} ${className}`} {...props} />;
}
