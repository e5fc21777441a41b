# Functions of the scripts in this folder: each installs programs that tests need, once, into a folder outside this
# repository.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/device-portal/parts
mkdir -p "$cache"
exec 9>"$cache/.lock"
flock 9 || true

# install NAME-VERSION PROGRAM WORK: runs WORK in a new folder, which becomes $cache/NAME-VERSION when it has succeeded.
failed=0
install() {
  local part=$1 program=$2 work=$3 started=$SECONDS
  if [[ -d $cache/$part ]]; then return; fi
  if ! command -v "$program" >/dev/null; then
    echo "Part $part is not installed: it needs $program. Tests that need it say so."
    return
  fi
  local folder=$cache/.new-$part
  rm -rf "$folder"
  mkdir "$folder"
  if (cd "$folder" && "$work" "${part##*-}") >"$cache/$part.log" 2>&1; then
    mv "$folder" "$cache/$part"
    echo "Part $part: $((SECONDS - started)) s, $(du -sm "$cache/$part" | cut -f 1) MB"
  else
    echo "Part $part could not be installed:"
    tail -n 20 "$cache/$part.log"
    rm -rf "$folder"
    failed=1
  fi
}

# jars GROUP ARTIFACT VERSION [GROUP:ARTIFACT...]: the artifact and all that it depends on, except the others and what
# only they depend on, in this folder.
jars() {
  local other exclusions=''
  for other in "${@:4}"; do
    exclusions+="<exclusion><groupId>${other%:*}</groupId><artifactId>${other#*:}</artifactId></exclusion>"
  done
  cat >pom.xml <<XML
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>deviceportal</groupId>
  <artifactId>part</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>$1</groupId><artifactId>$2</artifactId><version>$3</version>
      <exclusions>$exclusions</exclusions>
    </dependency>
  </dependencies>
</project>
XML
  mvn --batch-mode --quiet dependency:copy-dependencies -DoutputDirectory=. -DincludeScope=runtime
}
