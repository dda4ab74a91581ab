# frozen_string_literal: true

# What the calls of a Ruby program came to while it ran, told at its end: a line of tabs each, columns in bytes. Loaded before the
# program (`ruby -r`), which runs in the folder that is judged; TRUTH_TRACE names the file to write. A call is told where its name
# stands once on its line. Operators have no names, and what the language calls by itself is not written.
module UsesOfRuby
  ROOT = "#{Dir.pwd}/"
  PROCESS = Process.pid
  NAME = /\A[a-z_]\w*[?!=]?\z/i
  # Calls that are under way, of a fiber: those of Ruby and blocks as nil, those that are not as where they stand and their name.
  STACK = :uses_of_ruby
  @seen = {}

  def self.start
    TracePoint.new(:call, :return, :b_call, :b_return, :c_call, :c_return) { |event| hear(event) }.enable
  end

  def self.hear(event)
    stack = (Thread.current[STACK] ||= [])
    case event.event
    when :call
      place, name = called(stack.last, event)
      add(place, name, [event.path, event.lineno, event.method_id]) unless place.nil?
      stack.push(nil)
    when :c_call
      if stack.last.nil?
        target = event.callee_id == :new ? made(event.self) : written(event)
        add([event.path, event.lineno], event.callee_id, target) unless event.callee_id == :new && target.nil?
      end
      stack.push([event.path, event.lineno, stack.last.nil? ? event.callee_id : nil])
    when :b_call then stack.push(nil)
    else stack.pop
    end
  end

  # Where the call stands and what it calls; nothing where the platform calls, unless it makes an object.
  def self.called(from, event)
    return [placed(caller_locations(4, 1)&.first), event.callee_id] if from.nil?

    [from, :new] if from[2] == :new && event.callee_id == :initialize
  end

  def self.placed(location)
    [location.absolute_path || location.path, location.lineno] unless location.nil?
  end

  # Methods that are made by `attr_reader` and its kin are written where it is called; others of the platform nowhere.
  def self.written(event)
    path, line = event.defined_class.instance_method(event.method_id).source_location
    path.nil? ? nil : [path, line, event.method_id]
  rescue NameError
    nil
  end

  # Where the class is written whose object is made.
  def self.made(type)
    name = Module.instance_method(:name).bind_call(type) if type.is_a?(Class)
    path, line = Object.const_source_location(name) unless name.nil?
    path.nil? || line.nil? ? nil : [path, line, name.split('::').last.to_sym]
  rescue NameError
    nil
  end

  def self.add(place, name, target)
    path, line = place
    # The program itself is called as it was given.
    path = File.expand_path(path)
    return unless path.start_with?(ROOT) && NAME.match?(name)

    (@seen[[path, line, name]] ||= {})[target] = true
  end

  def self.tell(out)
    files = Dir.glob("#{ROOT}**/*.rb").to_h { |path| [path, File.readlines(path, encoding: 'UTF-8').map(&:scrub)] }
    definitions = declared(files, out)
    @seen.each do |(path, line, name), targets|
      text = files[path]&.at(line - 1)
      next if text.nil? || (column = only(text, name)).nil?

      targets.each_key do |target|
        symbol = target.nil? ? "outside:#{name}" : definitions[target] || "#{target.join(':')} outside"
        out.puts [path.delete_prefix(ROOT), line - 1, *column, symbol, 'use'].join("\t")
      end
    end
  end

  def self.declared(files, out)
    files.each_with_object({}) do |(path, lines), found|
      lines.each_with_index do |text, at|
        names = text.scan(/\bdef\s+(?:[\w.]+\.)?(\w+[?!=]?)/).flatten
        names += text.scan(/^\s*class\s+(?:\w+::)*(\w+)/).flatten
        names += text.scan(/[:](\w+)/).flatten if text.match?(/\battr(_reader|_writer|_accessor)?\b/)
        names.each do |name|
          symbol = "#{path.delete_prefix(ROOT)}:#{at + 1}:#{name}"
          found[[path, at + 1, name.to_sym]] = symbol
          found[[path, at + 1, :"#{name}="]] = symbol if text.include?('attr_')
          from = text.index(/(?<!\w)#{Regexp.escape(name)}(?!\w)/)
          out.puts [path.delete_prefix(ROOT), at, *bytes(text, from, name.size), symbol, 'definition'].join("\t")
        end
      end
    end
  end

  # From where to where the name stands that is called there, if it does so once.
  def self.only(text, name)
    code = text.sub(/(?:^|\s)#(?!\{).*/, '')
    plain = name.to_s.delete_suffix('=')
    places = []
    code.scan(/(?<![\w@$])(?<!:)(?:super|#{Regexp.escape(plain)})(?![\w?!]|:(?!:))/) { places << Regexp.last_match }
    places = places.reject { |one| one[0] == 'super' } if places.any? { |one| one[0] == plain }
    places.size == 1 ? bytes(code, places[0].begin(0), places[0][0].size) : nil
  end

  def self.bytes(text, from, size)
    [text[0...from].bytesize, text[0...(from + size)].bytesize]
  end

  at_exit do
    File.open(ENV.fetch('TRUTH_TRACE'), 'w') { |out| tell(out) } if Process.pid == PROCESS
  end
  start
end
