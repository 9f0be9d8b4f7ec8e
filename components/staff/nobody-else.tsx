/** To the only member of staff: who can help where a grant wants a second one. */
export function NobodyElse() {
  return (
    <strong className="block max-w-[72ch] font-medium text-foreground [overflow-wrap:anywhere]">
      You are the only member of staff: nobody is there to confirm a grant. Whoever runs the service can add somebody
      with <code className="text-code">npm run admin -- create-staff</code>, or give the credits with{" "}
      <code className="text-code">npm run admin -- add-credits</code>.
    </strong>
  );
}
